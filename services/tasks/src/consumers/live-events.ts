import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { type BatchConsumer, batchHandler, defineBatchConsumer, eventOf } from '@figbase/kit/events'
import { FigureStaleSchema, NodeChangedSchema } from '@figbase/proto/catalog/events'
import { CommentChangedSchema } from '@figbase/proto/comments/events'
import { InstanceChangedSchema } from '@figbase/proto/compute/events'
import { RevisionProcessedSchema } from '@figbase/proto/revisions/events'
import { FollowEventsResponseSchema } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import { ofComment, ofInstance, ofNode, ofRevision, ofStale } from '../domain/webhook-events.js'
import { insertingDeliveries, type StoredEvent } from '../queries/insert-deliveries.js'
import { insertingShared } from '../queries/live-events.js'

/** Stores the events of other services for followers, and as deliveries of webhooks. */
export const liveEvents: BatchConsumer<Ctx> = defineBatchConsumer<Ctx>({
  name: 'live-events',
  handlers: [
    batchHandler(eventOf(NodeChangedSchema), (event): StoredEvent | undefined => {
      const { id, actor, at, payload } = event
      const { workspaceId, silent } = payload
      if (silent) return undefined
      const hook = ofNode(actor, at, payload)
      // Nobody follows what is in no workspace.
      if (!workspaceId) return hook && { hook }
      const value = { id, actor, change: payload }
      const message = jsonOf({ event: { case: 'activity', value } })
      return { live: { workspaceId, objectId: null, message }, hook }
    }),
    batchHandler(eventOf(FigureStaleSchema), ({ at, payload }): StoredEvent => {
      // Who may view the figure may not view the asset.
      const { figureId, figureName, workspaceId, analysisId } = payload
      const value = {
        figureId,
        figureName,
        workspaceId,
        analysisId,
        ...(payload.at && { at: payload.at }),
      }
      const message = jsonOf({ event: { case: 'stale', value } })
      return { live: { workspaceId, objectId: figureId, message }, hook: ofStale(at, payload) }
    }),
    batchHandler(eventOf(RevisionProcessedSchema), ({ at, payload }): StoredEvent | undefined => {
      const { workspaceId, revisionId } = payload
      // Events of older versions have no workspace.
      if (!workspaceId) return undefined
      const message = jsonOf({ event: { case: 'revision', value: payload } })
      return {
        live: { workspaceId, objectId: revisionId, message },
        hook: ofRevision(at, payload),
      }
    }),
    batchHandler(eventOf(CommentChangedSchema), (event): StoredEvent | undefined => {
      const { actor, at, payload } = event
      const { workspaceId, targetId, silent } = payload
      if (silent) return undefined
      const message = jsonOf({ event: { case: 'comment', value: { actor, change: payload } } })
      return {
        live: { workspaceId, objectId: targetId, message },
        hook: ofComment(actor, at, payload),
      }
    }),
    batchHandler(eventOf(InstanceChangedSchema), ({ actor, at, payload }): StoredEvent => {
      const message = jsonOf({ event: { case: 'instance', value: { actor, change: payload } } })
      return {
        live: { workspaceId: payload.workspaceId, objectId: null, message },
        hook: ofInstance(actor, at, payload),
      }
    }),
  ],
  effect: insertingShared,
  alsoWrites: insertingDeliveries,
  onWritten(ctx, hasDeliveries) {
    ctx.announceLive()
    if (hasDeliveries) ctx.announceDeliveries()
  },
})

const jsonOf = (message: MessageInitShape<typeof FollowEventsResponseSchema>) =>
  toJson(FollowEventsResponseSchema, create(FollowEventsResponseSchema, message))
