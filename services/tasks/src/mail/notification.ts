import { type MailContent, type MailFrame, quoted, renderMail } from '@figbase/kit/mail'
import type { NotificationKind } from '../domain/notification-settings.js'
import type { MailLinks, Notice } from './notice.js'
import { textsOf } from './texts.js'

/** The mail about one notification. */
export function notificationMail(
  frame: MailFrame,
  notice: Notice & { kind: NotificationKind },
  links: MailLinks,
): MailContent {
  const { t } = textsOf(frame.language)
  const { kind, actor, noun, name, text, url } = notice
  const values = { actor, noun, name, site: frame.site.name }
  const texts = {
    mention: ['mention.subject', 'mention.what', 'mention.see'],
    reply: ['reply.subject', 'reply.what', 'reply.see'],
    share: ['share.subject', 'share.what', 'share.see'],
    failed_task: ['failedTask.subject', 'failedTask.what', undefined],
    stale_figure: ['staleFigure.subject', 'staleFigure.what', 'staleFigure.see'],
  } as const
  const [subject, what, see] = texts[kind]
  return renderMail(frame, {
    subject: t(subject, values),
    paragraphs: [t(what, values)],
    quote: quoted(text),
    ...(see && url && { action: { label: t(see), url } }),
    notes: [],
    links: [
      { label: t('notification.settings'), url: links.settingsUrl },
      { label: t('notification.unsubscribe'), url: links.unsubscribeUrl },
    ],
  })
}
