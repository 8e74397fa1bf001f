import { type MailContent, type MailFrame, renderMail } from '@figbase/kit/mail'
import type { MailLinks, Notice } from './notice.js'
import { textsOf } from './texts.js'

/** What happened to one object. */
export type DigestObject = { notices: [Notice, ...Notice[]] }

export type Digest = {
  objects: DigestObject[]
  /** The number of further notifications, about objects that are not listed. */
  more: number
}

const linesMax = 10

export function digestMail(
  frame: MailFrame,
  { objects, more }: Digest,
  links: MailLinks,
): MailContent {
  const { t } = textsOf(frame.language)
  const lineOf = ({ kind, actor, noun, action = '' }: Notice) => {
    const keys = {
      mention: 'digest.mention',
      reply: 'digest.reply',
      share: 'digest.share',
      failed_task: 'digest.failedTask',
      stale_figure: 'digest.staleFigure',
      activity: 'digest.activity',
    } as const
    return t(keys[kind], { actor, noun, action })
  }
  const sections = objects.map(({ notices }) => {
    const [{ noun, name, url }] = notices
    const lines = [...new Set(notices.map(lineOf))]
    const hidden = lines.length - linesMax
    const shown = lines.slice(0, linesMax)
    return {
      title: t('digest.object', { noun, name }),
      ...(url !== undefined && { url: withoutFragment(url) }),
      lines: hidden > 0 ? [...shown, t('digest.more', { count: String(hidden) })] : shown,
    }
  })
  return renderMail(frame, {
    subject: t('digest.subject', { site: frame.site.name }),
    paragraphs: [t('digest.what', { site: frame.site.name })],
    sections,
    notes: more > 0 ? [t('digest.more', { count: String(more) })] : [],
    links: [
      { label: t('notification.settings'), url: links.settingsUrl },
      { label: t('digest.unsubscribe'), url: links.unsubscribeUrl },
    ],
  })
}

const withoutFragment = (url: string) => url.replace(/#.*$/, '')
