import { setImmediate } from 'node:timers/promises'
import { Code, ConnectError } from '@connectrpc/connect'
import { type Html, hasCode, html } from '@figbase/kit'
import type { NodeType } from '@figbase/proto/catalog'
import type { Comment } from '@figbase/proto/comments'
import type { Input } from '../endpoint.js'
import { markdown } from '../markdown.js'
import { collect } from '../routes/pages.js'
import { moreThan } from './lists.js'
import { moment, named, words } from './text.js'
import { type Placed, threadsOf } from './threads.js'

/** Answers to answers stand further in up to here: a phone is narrow. */
const depthMax = 3
/** What is longer than people write is shown as it was written: the worst Markdown takes 0.1 s for so much. */
const markdownBytesMax = 16 * 1024

type Shown = { comments: Comment[]; count: number }

/** What people say about an object, for the end of its page; nothing if they say nothing, or not to the caller. */
export async function commentsOn(
  input: Input,
  target: { id: string; type: NodeType },
): Promise<Html> {
  const read = await readComments(input, target)
  if (!read) return section(html`<p class="empty">The comments cannot be shown at the moment.</p>`)
  const { comments, count } = read
  if (count === 0) return html``
  const contents = await contentsOf(comments, input.cfg.pageCommentBytesMax)
  const items = threadsOf(comments).map((placed) => item(placed, contents.get(placed.comment.id)))
  return section(html`<ul class="comments">${items}</ul>${moreThan(comments.length, count)}`)
}

const section = (content: Html) => html`<section><h2>Comments</h2>${content}</section>`

/** To whom the discussion of what they may view is closed. */
const refusals = [Code.PermissionDenied, Code.Unauthenticated]

/** The oldest, and how many there are; undefined when there is no answer, as a page is more than its comments. */
async function readComments(
  { services, call, cfg }: Input,
  { id, type }: { id: string; type: NodeType },
): Promise<Shown | undefined> {
  const target = { targetId: id, targetType: type }
  const first = { ...target, limit: cfg.pageItemsMax }
  try {
    const [parts, { total }] = await Promise.all([
      collect(services.comments.listComments(first, call)),
      services.comments.countComments(target, call),
    ])
    const comments = parts.flatMap((part) => part.comments)
    // One may have come or gone in between.
    return { comments, count: Math.max(total, comments.length) }
  } catch (error) {
    if (refusals.some((code) => hasCode(error, code))) return { comments: [], count: 0 }
    if (error instanceof ConnectError) return undefined
    throw error
  }
}

/** By comment. What does not fit is left out. */
async function contentsOf(comments: Comment[], bytesMax: number) {
  const contents = new Map<string, Html>()
  let left = bytesMax
  for (const { id, content } of comments) {
    const bytes = Buffer.byteLength(content)
    if (bytes > left) continue
    left -= bytes
    contents.set(id, bytes > markdownBytesMax ? words(content) : await markdown(content))
    // Others are served in between.
    await setImmediate()
  }
  return contents
}

function item({ comment, answered, depth }: Placed, content: Html | undefined) {
  const { id, author, createdOn, isEdited } = comment
  const place = depth > 0 ? html` class="answer-${String(Math.min(depth, depthMax))}"` : html``
  const whom = answered ? html` to ${named(answered.author)}` : html``
  const edited = isEdited ? html` · edited` : html``
  return html`<li id="comment-${id}"${place}>
<p class="quiet"><strong>${named(author)}</strong>${whom} · ${moment(createdOn)}${edited}</p>
${bodyOf(comment, content)}</li>`
}

function bodyOf({ isDeleted }: Comment, content: Html | undefined) {
  if (isDeleted) return html`<p class="quiet">This comment was deleted.</p>`
  if (!content) return html`<p class="quiet">This comment is too long to be shown here.</p>`
  return html`<div class="written" dir="auto">${content}</div>`
}
