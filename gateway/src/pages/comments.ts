import { setImmediate } from 'node:timers/promises'
import { Code, ConnectError } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { type Html, html } from '@figbase/kit/text'
import type { NodeType } from '@figbase/proto/catalog'
import type { Comment, ReactionCount } from '@figbase/proto/comments'
import type { Input } from '../endpoint.js'
import { collect } from '../routes/pagination.js'
import { type Texts, textsOf } from '../texts/texts.js'
import { moreThan } from './lists.js'
import { followed } from './live.js'
import { nextLink } from './next-link.js'
import { commentPath } from './talk/path.js'
import { reactionsOn } from './talk/reactions.js'
import { markdownHtml, nameHtml, paragraphHtml } from './text.js'
import { orderByThread, type ThreadedComment } from './threads.js'

/** The maximum indentation of answers, because phones are narrow. */
const depthMax = 3
/** Longer comments are shown as plain text: the worst Markdown of this size takes 0.1 s to render. */
const markdownBytesMax = 16 * 1024

type Target = { id: string; type: NodeType }

type CommentList = {
  comments: Comment[]
  count: number
  nextPageToken: string
  reactions: ReactionCount[]
  mayWrite: boolean
}

/** The comments on an object, with links to write; empty if the reader may neither view nor write any. */
export async function commentsOn(input: Input, target: Target): Promise<Html> {
  const texts = textsOf(input)
  const { t } = texts
  const read = await readComments(input, target)
  const section = (content: Html) => {
    const news = t('comments.news')
    const attributes = followed(input, {
      id: 'comments',
      event: 'comment',
      object: target.id,
      news,
    })
    return html`<section ${attributes}><h2>${t('comments.title')}</h2>${content}</section>`
  }
  if (!read) return section(html`<p class="empty">${t('comments.unavailable')}</p>`)
  const { comments, count, nextPageToken, reactions, mayWrite } = read
  if (count === 0 && !mayWrite) return html``
  const write = mayWrite ? writeLink(texts, target) : html``
  if (count === 0) return section(write)
  const contents = await contentsOf(texts, comments, input.cfg.pageCommentBytesMax)
  const items = orderByThread(comments).map((placed) => {
    const { comment } = placed
    const of = reactions.filter(({ commentId }) => commentId === comment.id)
    return item(texts, placed, {
      content: contents.get(comment.id),
      reactions: reactionsOn(input, comment, of),
      writer: mayWrite ? input.username : '',
    })
  })
  const next = nextLink(input, nextPageToken, {}, 'comments', '#comments')
  return section(
    html`<ul class="comments">${items}</ul>${moreThan(texts, comments.length, count)}${next}${write}`,
  )
}

/** Some users may view an object but not its comments. */
const accessErrors = [Code.PermissionDenied, Code.Unauthenticated]

const noComments: CommentList = {
  comments: [],
  count: 0,
  nextPageToken: '',
  reactions: [],
  mayWrite: false,
}

/** Reads a page of the oldest comments and their total number; undefined if the comments service fails, so that the page can still be shown. */
async function readComments(input: Input, { id, type }: Target): Promise<CommentList | undefined> {
  const { services, call, cfg, query } = input
  const { comments: pageToken = '' } = query as { comments?: string }
  const target = { targetId: id, targetType: type }
  const first = { ...target, limit: cfg.pageItemsMax, pageToken, withReactions: true }
  try {
    const [parts, { total }] = await Promise.all([
      collect(services.comments.listComments(first, call)),
      services.comments.countComments(target, call),
    ])
    const comments = parts.flatMap((part) => part.comments)
    // A comment may have been added or deleted between the two calls.
    return {
      comments,
      count: Math.max(total, comments.length),
      nextPageToken: parts.at(-1)?.nextPageToken ?? '',
      reactions: parts.flatMap((part) => part.reactions),
      mayWrite: input.username !== '',
    }
  } catch (error) {
    if (accessErrors.some((code) => hasCode(error, code))) return noComments
    if (error instanceof ConnectError) return undefined
    throw error
  }
}

/** The rendered comments by id, without those that exceed the limit. */
async function contentsOf(texts: Texts, comments: Comment[], bytesMax: number) {
  const contents = new Map<string, Html>()
  let left = bytesMax
  for (const { id, content } of comments) {
    const bytes = Buffer.byteLength(content)
    if (bytes > left) continue
    left -= bytes
    const isPlain = bytes > markdownBytesMax
    contents.set(id, isPlain ? paragraphHtml(content) : await markdownHtml(texts, content))
    // Let other requests run between comments.
    await setImmediate()
  }
  return contents
}

type Parts = {
  /** Undefined if it is too long to show. */
  content: Html | undefined
  reactions: Html
  writer: string
}

function item(
  texts: Texts,
  { comment, answered, depth }: ThreadedComment,
  { content, reactions, writer }: Parts,
) {
  const { t, dateTime } = texts
  const { id, author, createdOn, isEdited } = comment
  const place = depth > 0 ? html` class="answer-${String(Math.min(depth, depthMax))}"` : html``
  const addressee = answered
    ? html` ${t('comments.to', { name: nameHtml(answered.author) })}`
    : html``
  const edited = isEdited ? html` · ${t('comments.edited')}` : html``
  return html`<li id="comment-${id}"${place}>
<p class="quiet"><strong>${nameHtml(author)}</strong>${addressee} · ${dateTime(createdOn)}${edited}</p>
${bodyOf(t, comment, content)}${reactions}${actionsOn(texts, comment, writer)}</li>`
}

function bodyOf(t: Texts['t'], { isDeleted }: Comment, content: Html | undefined) {
  if (isDeleted) return html`<p class="quiet">${t('comments.deleted')}</p>`
  if (!content) return html`<p class="quiet">${t('comments.tooLong')}</p>`
  return html`<div class="written" dir="auto">${content}</div>`
}

const writeLink = ({ t }: Texts, target: Target) =>
  html`<p><a class="button secondary" href="${commentPath(target)}">${t('comments.write')}</a></p>`

/** What the reader may do with a comment; `writer` is empty if nothing. */
function actionsOn({ t }: Texts, comment: Comment, writer: string) {
  const { id, author, isDeleted } = comment
  if (writer === '' || isDeleted) return html``
  const path = commentPath({ id: comment.targetId, type: comment.targetType })
  const answer = html`<li><a href="${path}?answer=${id}" aria-label="${t('comments.answerTo', { name: html`${author}` })}">${t('comments.answer')}</a></li>`
  const own =
    author === writer
      ? html`<li><a href="${path}${id}/edit/">${t('action.edit')}</a></li><li><a href="${path}${id}/delete/">${t('action.delete')}</a></li>`
      : html``
  return html`<ul class="actions">${answer}${own}</ul>`
}
