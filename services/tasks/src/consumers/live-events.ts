import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { type Consumer, defineConsumer, eventOf, on } from '@figbase/kit'
import { NodeChangedSchema } from '@figbase/proto/catalog/events'
import { CommentChangedSchema } from '@figbase/proto/comments/events'
import { RevisionProcessedSchema } from '@figbase/proto/revisions/events'
import { FollowEventsResponseSchema } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { tellWorkspace } from '../live/tell.js'

/** What other services publish, for those who follow. */
export const liveEvents: Consumer<Ctx> = defineConsumer<Ctx>({
  name: 'live-events',
  handlers: [
    on(eventOf(NodeChangedSchema), async (ctx: Ctx, tx: Tx, { id, actor, payload }) => {
      if (payload.silent || !payload.workspaceId) return
      const value = { id, actor, change: payload }
      const message = jsonOf({ event: { case: 'activity', value } })
      await tellWorkspace(ctx, tx, payload.workspaceId, null, message)
    }),
    on(eventOf(RevisionProcessedSchema), async (ctx: Ctx, tx: Tx, { payload }) => {
      const { workspaceId, revisionId } = payload
      // Of a revision that was begun before this was known.
      if (!workspaceId) return
      const message = jsonOf({ event: { case: 'revision', value: payload } })
      await tellWorkspace(ctx, tx, workspaceId, revisionId, message)
    }),
    on(eventOf(CommentChangedSchema), async (ctx: Ctx, tx: Tx, { actor, payload }) => {
      const { workspaceId, targetId, silent } = payload
      if (silent) return
      const message = jsonOf({ event: { case: 'comment', value: { actor, change: payload } } })
      await tellWorkspace(ctx, tx, workspaceId, targetId, message)
    }),
  ],
})

const jsonOf = (message: MessageInitShape<typeof FollowEventsResponseSchema>) =>
  toJson(FollowEventsResponseSchema, create(FollowEventsResponseSchema, message))
