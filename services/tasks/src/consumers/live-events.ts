import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { type BatchConsumer, batchHandler, defineBatchConsumer, eventOf } from '@figbase/kit/events'
import { NodeChangedSchema } from '@figbase/proto/catalog/events'
import { CommentChangedSchema } from '@figbase/proto/comments/events'
import { InstanceChangedSchema } from '@figbase/proto/compute/events'
import { RevisionProcessedSchema } from '@figbase/proto/revisions/events'
import { FollowEventsResponseSchema } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import { insertingShared, type SharedEvent } from '../queries/live-events.js'

/** Stores the events of other services for followers. */
export const liveEvents: BatchConsumer<Ctx> = defineBatchConsumer<Ctx>({
  name: 'live-events',
  handlers: [
    batchHandler(eventOf(NodeChangedSchema), ({ id, actor, payload }): SharedEvent | undefined => {
      const { workspaceId, silent } = payload
      if (silent || !workspaceId) return undefined
      const value = { id, actor, change: payload }
      const message = jsonOf({ event: { case: 'activity', value } })
      return { workspaceId, objectId: null, message }
    }),
    batchHandler(eventOf(RevisionProcessedSchema), ({ payload }): SharedEvent | undefined => {
      const { workspaceId, revisionId } = payload
      // Events of older versions have no workspace.
      if (!workspaceId) return undefined
      const message = jsonOf({ event: { case: 'revision', value: payload } })
      return { workspaceId, objectId: revisionId, message }
    }),
    batchHandler(eventOf(CommentChangedSchema), ({ actor, payload }): SharedEvent | undefined => {
      const { workspaceId, targetId, silent } = payload
      if (silent) return undefined
      const message = jsonOf({ event: { case: 'comment', value: { actor, change: payload } } })
      return { workspaceId, objectId: targetId, message }
    }),
    batchHandler(eventOf(InstanceChangedSchema), ({ actor, payload }): SharedEvent => {
      const message = jsonOf({ event: { case: 'instance', value: { actor, change: payload } } })
      return { workspaceId: payload.workspaceId, objectId: null, message }
    }),
  ],
  effect: insertingShared,
  onWritten: (ctx) => ctx.announceLive(),
})

const jsonOf = (message: MessageInitShape<typeof FollowEventsResponseSchema>) =>
  toJson(FollowEventsResponseSchema, create(FollowEventsResponseSchema, message))
