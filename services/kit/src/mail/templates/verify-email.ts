import type { Site } from '../../rpc/site.js'
import type { MailContent } from '../mailer.js'
import { renderMail } from '../render.js'
import { words } from '../words.js'
import { toMoment } from './moment.js'

/** `url` holds the token. */
export type EmailVerification = { username: string; url: string; expiresOn: Date }

export function verifyEmailMail(
  site: Site,
  { username, url, expiresOn }: EmailVerification,
): MailContent {
  return renderMail(site, {
    subject: 'Confirm your e-mail address',
    paragraphs: [
      words`The account “${username}” on ${site.name} was given this e-mail address. Please confirm that it is yours.`,
    ],
    action: { label: 'Confirm the address', url },
    notes: [
      `The link is valid until ${toMoment(expiresOn)}.`,
      'If you have no such account, ignore this mail: the address stays unconfirmed.',
    ],
  })
}
