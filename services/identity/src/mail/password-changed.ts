import { type MailContent, type MailFrame, renderMail } from '@figbase/kit/mail'
import { textsOf } from './texts.js'

/** `resetUrl`: the page that requests a password reset. */
export type PasswordChange = { username: string; resetUrl: string }

export function passwordChangedMail(
  frame: MailFrame,
  { username, resetUrl }: PasswordChange,
): MailContent {
  const { t } = textsOf(frame.language)
  return renderMail(frame, {
    subject: t('passwordChanged.subject'),
    paragraphs: [
      t('passwordChanged.what', { username, site: frame.site.name }),
      t('passwordChanged.keys'),
    ],
    action: { label: t('passwordChanged.notYou'), url: resetUrl },
    notes: [t('passwordChanged.you')],
  })
}
