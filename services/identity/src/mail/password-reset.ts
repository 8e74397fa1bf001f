import { type MailContent, type MailFrame, renderMail } from '@figbase/kit/mail'
import { textsOf } from './texts.js'

/** `url` contains the token. */
export type PasswordReset = { username: string; url: string; expiresOn: Date }

export function passwordResetMail(
  frame: MailFrame,
  { username, url, expiresOn }: PasswordReset,
): MailContent {
  const { t, time } = textsOf(frame.language)
  return renderMail(frame, {
    subject: t('password.choose'),
    paragraphs: [t('passwordReset.what', { username, site: frame.site.name })],
    action: { label: t('password.choose'), url },
    notes: [t('passwordReset.expires', { time: time(expiresOn) }), t('passwordReset.notYou')],
  })
}
