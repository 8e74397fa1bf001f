import { type Html, html } from '@figbase/kit/text'
import type { Comment, ReactionCount } from '@figbase/proto/comments'
import type { Input } from '../../endpoint.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import { formToken } from '../form.js'
import { commentPath } from './path.js'

/** Offered for every comment. */
const offered = ['👍', '❤️', '😄', '🎉', '👀', '🤔', '👎']

/** The reactions to a comment, each with a button for the reader's own; without buttons for anonymous readers. */
export function reactionsOn(input: Input, comment: Comment, counts: ReactionCount[]): Html {
  if (comment.isDeleted) return html``
  const texts = textsOf(input)
  if (input.username === '') {
    const shown = counts.map(
      (one) => html`<span title="${whoOf(texts, one)}">${textOf(texts, one)}</span>`,
    )
    return counts.length > 0 ? html`<p class="reactions">${shown}</p>` : html``
  }
  const path = commentPath({ id: comment.targetId, type: comment.targetType })
  const known = new Set(counts.map(({ emoji }) => emoji))
  const others = offered
    .filter((emoji) => !known.has(emoji))
    .map((emoji) => html`<button name="emoji" value="${emoji}">${emoji}</button>`)
  return html`<form method="post" action="${path}${comment.id}/react/" class="reactions">${formToken(input)}
${counts.map((one) => buttonOf(texts, one))}<details><summary>${texts.t('comments.react')}</summary>${others}</details></form>`
}

/** Adds the reader's own reaction, or takes it back. */
function buttonOf(texts: Texts, count: ReactionCount) {
  const { emoji, ownId } = count
  const [name, value, isOwn] = ownId ? ['taken_back', ownId, 'true'] : ['emoji', emoji, 'false']
  const who = whoOf(texts, count)
  return html`<button name="${name}" value="${value}" aria-pressed="${isOwn}" title="${who}"
aria-label="${textOf(texts, count)}: ${who}">${textOf(texts, count)}</button>`
}

const textOf = ({ number }: Texts, { emoji, count }: ReactionCount) => `${emoji} ${number(count)}`

function whoOf({ t }: Texts, { usernames, count }: ReactionCount): Html {
  const names = usernames.join(', ')
  const more = count - usernames.length
  return more > 0 ? t('comments.reactedMore', { names, more }) : html`${names}`
}
