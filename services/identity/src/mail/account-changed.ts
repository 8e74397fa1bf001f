import { type MailContent, renderMail, words } from '@figbase/kit/mail'
import type { Site } from '@figbase/kit/rpc'

/** The new state of an account. */
export type AccountChange = { username: string; became: 'deactivated' | 'active' | 'deleted' }

const notes = {
  deactivated: ['If you think that this is a mistake, ask them.'],
  active: ['If you do not know why, ask them.'],
  deleted: ['This is the last mail that you get from this installation.'],
}

export function accountChangedMail(site: Site, { username, became }: AccountChange): MailContent {
  return renderMail(site, { ...contentOf(site, username, became), notes: notes[became] })
}

function contentOf(site: Site, username: string, became: AccountChange['became']) {
  switch (became) {
    case 'deactivated':
      return {
        subject: 'Your account was deactivated',
        paragraphs: [
          words`An administrator of this installation deactivated the account “${username}” on ${site.name}. Nobody can sign in to it, and its API keys are refused.`,
          'What it holds is kept.',
        ],
      }
    case 'active':
      return {
        subject: 'Your account is active again',
        paragraphs: [
          words`An administrator of this installation activated the account “${username}” on ${site.name} again. You can sign in.`,
        ],
      }
    case 'deleted':
      return {
        subject: 'Your account was deleted',
        paragraphs: [
          words`The account “${username}” on ${site.name} was deleted, with its personal data, its keys and its own workspaces.`,
        ],
      }
  }
}
