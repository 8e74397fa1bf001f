import { type MailContent, type MailFrame, renderMail } from '@figbase/kit/mail'
import { textsOf } from './texts.js'

export type DeactivationReason = 'failing' | 'gone'

export type Deactivated = {
  receiver: string
  place: 'workspace' | 'organization'
  reason: DeactivationReason
  /** The page of the webhook. */
  url: string
}

export function webhookDeactivatedMail(
  frame: MailFrame,
  { receiver, place, reason, url }: Deactivated,
): MailContent {
  const { t } = textsOf(frame.language)
  const reasons = {
    failing: t('webhookDeactivated.failing'),
    gone: t('webhookDeactivated.gone'),
  }
  return renderMail(frame, {
    subject: t('webhookDeactivated.subject', { receiver }),
    paragraphs: [
      t('webhookDeactivated.what', { site: frame.site.name, place, receiver }),
      reasons[reason],
    ],
    action: { label: t('webhookDeactivated.see'), url },
    notes: [t('webhookDeactivated.kept')],
  })
}
