import type { Site } from '../../rpc/site.js'
import type { MailContent } from '../mailer.js'
import { renderMail } from '../render.js'
import { words } from '../words.js'
import { toMoment } from './moment.js'

export type Invitation = {
  /** The name that people know who invites by. */
  inviter: string
  target: 'workspace' | 'organization'
  targetName: string
  /** Holds the token. */
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
      `The invitation can be accepted once, until ${toMoment(expiresOn)}.`,
      'If you do not know who this is from, ignore this mail: without you, nothing happens.',
    ],
  })
}
