import { type MailContent, type MailFrame, renderMail } from '@figbase/kit/mail'
import { textsOf } from './texts.js'

/** Sent to the owner of an address that was given for another account. `resetUrl`: the page that requests a reset. */
export type AddressInUse = { username: string; resetUrl: string }

export function addressInUseMail(
  frame: MailFrame,
  { username, resetUrl }: AddressInUse,
): MailContent {
  const { t } = textsOf(frame.language)
  return renderMail(frame, {
    subject: t('addressInUse.subject'),
    paragraphs: [
      t('addressInUse.what', { username, site: frame.site.name }),
      t('addressInUse.you'),
    ],
    action: { label: t('password.choose'), url: resetUrl },
    notes: [t('addressInUse.notYou')],
  })
}
