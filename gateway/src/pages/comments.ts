import { setImmediate } from 'node:timers/promises'
import { Code, ConnectError } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { markdown } from '@figbase/kit/markdown'
import { type Html, html } from '@figbase/kit/text'
import type { NodeType } from '@figbase/proto/catalog'
import type { Comment } from '@figbase/proto/comments'
import type { Input } from '../endpoint.js'
import { collect } from '../routes/pagination.js'
import { moreThan } from './lists.js'
import { dateTimeHtml, nameHtml, paragraphHtml } from './text.js'
import { orderByThread, type ThreadedComment } from './threads.js'

/** The maximum indentation of answers, because phones are narrow. */
const depthMax = 3
/** Longer comments are shown as plain text: the worst Markdown of this size takes 0.1 s to render. */
const markdownBytesMax = 16 * 1024

type CommentList = { comments: Comment[]; count: number }

/** The comments on an object; empty if there are none, or if the user may not view them. */
export async function commentsOn(
  input: Input,
  target: { id: string; type: NodeType },
): Promise<Html> {
  const read = await readComments(input, target)
  if (!read) return section(html`<p class="empty">Comments are temporarily unavailable.</p>`)
  const { comments, count } = read
  if (count === 0) return html``
  const contents = await contentsOf(comments, input.cfg.pageCommentBytesMax)
  const items = orderByThread(comments).map((placed) =>
    item(placed, contents.get(placed.comment.id)),
  )
  return section(html`<ul class="comments">${items}</ul>${moreThan(comments.length, count)}`)
}

const section = (content: Html) => html`<section><h2>Comments</h2>${content}</section>`

/** Some users may view an object but not its comments. */
const accessErrors = [Code.PermissionDenied, Code.Unauthenticated]

/** Reads the oldest comments and their total number; undefined if the comments service fails, so that the page can still be shown. */
async function readComments(
  { services, call, cfg }: Input,
  { id, type }: { id: string; type: NodeType },
): Promise<CommentList | undefined> {
  const target = { targetId: id, targetType: type }
  const first = { ...target, limit: cfg.pageItemsMax }
  try {
    const [parts, { total }] = await Promise.all([
      collect(services.comments.listComments(first, call)),
      services.comments.countComments(target, call),
    ])
    const comments = parts.flatMap((part) => part.comments)
    // A comment may have been added or deleted between the two calls.
    return { comments, count: Math.max(total, comments.length) }
  } catch (error) {
    if (accessErrors.some((code) => hasCode(error, code))) return { comments: [], count: 0 }
    if (error instanceof ConnectError) return undefined
    throw error
  }
}

/** The rendered comments by id, without those that exceed the limit. */
async function contentsOf(comments: Comment[], bytesMax: number) {
  const contents = new Map<string, Html>()
  let left = bytesMax
  for (const { id, content } of comments) {
    const bytes = Buffer.byteLength(content)
    if (bytes > left) continue
    left -= bytes
    contents.set(id, bytes > markdownBytesMax ? paragraphHtml(content) : await markdown(content))
    // Let other requests run between comments.
    await setImmediate()
  }
  return contents
}

function item({ comment, answered, depth }: ThreadedComment, content: Html | undefined) {
  const { id, author, createdOn, isEdited } = comment
  const place = depth > 0 ? html` class="answer-${String(Math.min(depth, depthMax))}"` : html``
  const addressee = answered ? html` to ${nameHtml(answered.author)}` : html``
  const edited = isEdited ? html` · edited` : html``
  return html`<li id="comment-${id}"${place}>
<p class="quiet"><strong>${nameHtml(author)}</strong>${addressee} · ${dateTimeHtml(createdOn)}${edited}</p>
${bodyOf(comment, content)}</li>`
}

function bodyOf({ isDeleted }: Comment, content: Html | undefined) {
  if (isDeleted) return html`<p class="quiet">This comment was deleted.</p>`
  if (!content) return html`<p class="quiet">This comment is too long to show here.</p>`
  return html`<div class="written" dir="auto">${content}</div>`
}
