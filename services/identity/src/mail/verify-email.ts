import { formatTime, type MailContent, renderMail, words } from '@figbase/kit/mail'
import type { Site } from '@figbase/kit/rpc'

/** `url` contains the token. */
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
      `The link is valid until ${formatTime(expiresOn)}.`,
      'If you have no such account, ignore this mail: the address stays unconfirmed.',
    ],
  })
}
