import { type MailContent, quoted, renderMail, words } from '@figbase/kit/mail'
import type { Site } from '@figbase/kit/rpc'

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
