import { formatTime, type MailContent, renderMail, words } from '@figbase/kit/mail'
import type { Site } from '@figbase/kit/rpc'

/** `url` contains the token. */
export type PasswordReset = { username: string; url: string; expiresOn: Date }

export function passwordResetMail(
  site: Site,
  { username, url, expiresOn }: PasswordReset,
): MailContent {
  return renderMail(site, {
    subject: 'Choose a new password',
    paragraphs: [
      words`Somebody asked for a new password of the account “${username}” on ${site.name}.`,
    ],
    action: { label: 'Choose a new password', url },
    notes: [
      `The link works once, until ${formatTime(expiresOn)}.`,
      'If it was not you, ignore this mail: your password stays as it is.',
    ],
  })
}
