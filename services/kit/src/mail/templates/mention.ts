import type { Site } from '../../rpc/site.js'
import type { MailContent } from '../mailer.js'
import { renderMail } from '../render.js'
import { quoted, words } from '../words.js'

export type Mention = {
  /** The name that people know who wrote the comment by. */
  author: string
  target: 'figure' | 'asset' | 'revision'
  /** Of a revision the name of what it is one of; empty where the recipient may not view that. */
  targetName: string
  /** The comment, as it was written. */
  content: string
  /** The page of the target. */
  url: string
}

export function mentionMail(
  site: Site,
  { author, target, targetName, content, url }: Mention,
): MailContent {
  const what = target === 'revision' ? 'a revision' : `the ${target}`
  const whole = target === 'revision' ? 'a revision of' : what
  const on = targetName ? words`${whole} “${targetName}”` : what
  return renderMail(site, {
    subject: `${words`${author} mentioned you on`} ${on}`,
    paragraphs: [
      `${words`${author} mentioned you in a comment on`} ${on} ${words`on ${site.name}:`}`,
    ],
    quote: quoted(content),
    action: { label: 'See the comment', url },
    notes: [
      'To get no more mails like this one, set `mention_emails` to `false` in the `user_profile` of your account.',
    ],
  })
}
