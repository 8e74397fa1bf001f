import { type Consumer, defineConsumer, eventOf, on, toIso } from '@figbase/kit'
import { CommentAction, CommentChangedSchema } from '@figbase/proto/comments/events'
import type { Ctx } from '../context.js'
import type { CommentWord, Tx } from '../db/schema.js'
import { insertCommentEntry } from '../queries/comment-entries.js'

/** None for what a newer publisher tells of. */
const words: Partial<Record<CommentAction, CommentWord>> = {
  [CommentAction.CREATE]: 'comment_create',
  [CommentAction.UPDATE]: 'comment_update',
  [CommentAction.DELETE]: 'comment_delete',
}

/** What is said about a node stands in its log, and in those of what it lives in. */
export const logComments: Consumer<Ctx> = defineConsumer<Ctx>({
  name: 'log-comments',
  handlers: [
    on(eventOf(CommentChangedSchema), async (_: Ctx, tx: Tx, event) => {
      const { id, actor, requestId, payload } = event
      const action = words[payload.action]
      if (!action) return
      const actorKind = payload.byApiKey ? 'api_key' : 'user'
      await insertCommentEntry(tx, {
        id,
        at: payload.at ? toIso(payload.at) : event.at,
        action,
        by: { actor, actorKind, requestId, isSilent: payload.silent },
        targetId: payload.targetId,
        commentId: payload.commentId,
        parentId: payload.parentCommentId,
      })
    }),
  ],
})
