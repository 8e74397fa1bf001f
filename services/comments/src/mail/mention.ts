import { type MailContent, type MailFrame, quoted, renderMail } from '@figbase/kit/mail'
import { textsOf } from './texts.js'

export type Mention = {
  /** Display name. */
  author: string
  target: 'figure' | 'asset' | 'revision'
  /** For a revision, the name of its figure or asset; empty if the recipient may not view it. */
  targetName: string
  /** The comment. */
  content: string
  /** The page of the target. */
  url: string
}

export function mentionMail(
  frame: MailFrame,
  { author, target, targetName: name, content, url }: Mention,
): MailContent {
  const { t } = textsOf(frame.language)
  const values = { author, kind: name ? target : 'unnamed', name }
  return renderMail(frame, {
    subject: t('mention.subject', values),
    paragraphs: [t('mention.what', { ...values, site: frame.site.name })],
    quote: quoted(content),
    action: { label: t('mention.see'), url },
    notes: [t('mention.turnOff')],
  })
}
