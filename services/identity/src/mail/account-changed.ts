import { type MailContent, type MailFrame, renderMail } from '@figbase/kit/mail'
import { textsOf } from './texts.js'

/** The new state of an account. */
export type AccountChange = { username: string; became: 'deactivated' | 'active' | 'deleted' }

export function accountChangedMail(
  frame: MailFrame,
  { username, became }: AccountChange,
): MailContent {
  const { t } = textsOf(frame.language)
  const values = { username, site: frame.site.name }
  const bodies = {
    deactivated: () => ({
      subject: t('accountDeactivated.subject'),
      paragraphs: [t('accountDeactivated.what', values), t('accountDeactivated.kept')],
      notes: [t('accountDeactivated.ask')],
    }),
    active: () => ({
      subject: t('accountActive.subject'),
      paragraphs: [t('accountActive.what', values)],
      notes: [t('accountActive.ask')],
    }),
    deleted: () => ({
      subject: t('accountDeleted.subject'),
      paragraphs: [t('accountDeleted.what', values)],
      notes: [t('accountDeleted.last')],
    }),
  }
  return renderMail(frame, bodies[became]())
}
