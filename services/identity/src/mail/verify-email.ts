import { type MailContent, type MailFrame, renderMail } from '@figbase/kit/mail'
import { textsOf } from './texts.js'

/** `url` contains the token. */
export type EmailVerification = { username: string; url: string; expiresOn: Date }

export function verifyEmailMail(
  frame: MailFrame,
  { username, url, expiresOn }: EmailVerification,
): MailContent {
  const { t, time } = textsOf(frame.language)
  return renderMail(frame, {
    subject: t('verifyEmail.subject'),
    paragraphs: [t('verifyEmail.what', { username, site: frame.site.name })],
    action: { label: t('verifyEmail.confirm'), url },
    notes: [t('verifyEmail.expires', { time: time(expiresOn) }), t('verifyEmail.notYou')],
  })
}
