import type { Site } from '../../rpc/site.js'
import type { MailContent } from '../mailer.js'
import { renderMail } from '../render.js'
import { words } from '../words.js'
import { toMoment } from './moment.js'

/** `url` holds the token. */
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
      `The link works once, until ${toMoment(expiresOn)}.`,
      'If it was not you, ignore this mail: your password stays as it is.',
    ],
  })
}
