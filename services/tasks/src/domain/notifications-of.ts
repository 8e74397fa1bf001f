import type { AccessGranted, FigureStale } from '@figbase/proto/catalog/events'
import type { CommentChanged } from '@figbase/proto/comments/events'
import type { NewNotification } from '../queries/insert-notifications.js'

/** Mentions, and a reply to somebody who is not also mentioned. */
export function ofComment(actor: string, change: CommentChanged): NewNotification[] {
  const { targetId: objectId, commentId, mentioned, parentAuthor } = change
  const about = { actor, objectId, commentId }
  const author = actor.toLowerCase()
  const replied = parentAuthor.toLowerCase()
  const mentions = mentioned
    .filter((username) => username !== author)
    .map((username) => ({ ...about, username, kind: 'mention' as const }))
  const isReply = replied !== '' && replied !== author && !mentioned.includes(replied)
  return isReply ? [...mentions, { ...about, username: replied, kind: 'reply' }] : mentions
}

export function ofGrant(
  actor: string,
  { nodeId: objectId, username }: AccessGranted,
): NewNotification[] {
  const notified = username.toLowerCase()
  if (notified === actor.toLowerCase()) return []
  return [{ username: notified, kind: 'share', actor, objectId }]
}

/** Also notifies who published the revision of the asset themselves: it may not be known that the figure uses it. */
export function ofStaleFigure(
  actor: string,
  { figureId: objectId, figureCreatedBy }: FigureStale,
): NewNotification[] {
  if (!figureCreatedBy) return []
  return [{ username: figureCreatedBy.toLowerCase(), kind: 'stale_figure', actor, objectId }]
}
