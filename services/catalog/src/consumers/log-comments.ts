import { toIso } from '@figbase/kit/db'
import { type Consumer, defineConsumer, eventOf, on } from '@figbase/kit/events'
import { CommentAction, CommentChangedSchema } from '@figbase/proto/comments/events'
import type { Ctx } from '../context.js'
import type { CommentActionName, Tx } from '../db/schema.js'
import { insertCommentEntry } from '../queries/comment-entries.js'

/** Actions of a newer publisher have no entry here, and are ignored. */
const words: Partial<Record<CommentAction, CommentActionName>> = {
  [CommentAction.CREATE]: 'comment_create',
  [CommentAction.UPDATE]: 'comment_update',
  [CommentAction.DELETE]: 'comment_delete',
}

/** Writes an entry to the activity log of the commented node and of its ancestors. */
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
