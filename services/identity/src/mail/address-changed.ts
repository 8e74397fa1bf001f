import { type MailContent, type MailFrame, renderMail } from '@figbase/kit/mail'
import { textsOf } from './texts.js'

/** Sent to the previous address; does not contain the new one. */
export type AddressChange = { username: string }

export function addressChangedMail(frame: MailFrame, { username }: AddressChange): MailContent {
  const { t } = textsOf(frame.language)
  return renderMail(frame, {
    subject: t('addressChanged.subject'),
    paragraphs: [
      t('addressChanged.what', { username, site: frame.site.name }),
      t('addressChanged.effect'),
    ],
    notes: [t('addressChanged.notYou')],
  })
}
