import { formatTime, type MailContent, renderMail, words } from '@figbase/kit/mail'
import type { Site } from '@figbase/kit/rpc'

export type Invitation = {
  /** Display name. */
  inviter: string
  target: 'workspace' | 'organization'
  targetName: string
  /** Contains the token. */
  url: string
  expiresOn: Date
}

export function invitationMail(site: Site, invitation: Invitation): MailContent {
  const { inviter, target, targetName, url, expiresOn } = invitation
  return renderMail(site, {
    subject: words`${inviter} invites you to “${targetName}”`,
    paragraphs: [
      words`${inviter} invites you to the ${target} “${targetName}” on ${site.name}, where figures of research are kept with their code and data.`,
    ],
    action: { label: 'See the invitation', url },
    notes: [
      `The invitation can be accepted once, until ${formatTime(expiresOn)}.`,
      'If you do not know who this is from, ignore this mail: without you, nothing happens.',
    ],
  })
}
