import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { type BatchConsumer, batchHandler, defineBatchConsumer, eventOf } from '@figbase/kit/events'
import {
  AccessGrantedSchema,
  FigureStaleSchema,
  NodeChangedSchema,
} from '@figbase/proto/catalog/events'
import { CommentChangedSchema } from '@figbase/proto/comments/events'
import { InstanceChangedSchema } from '@figbase/proto/compute/events'
import { RevisionProcessedSchema } from '@figbase/proto/revisions/events'
import { FollowEventsResponseSchema } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import * as notificationsOf from '../domain/notifications-of.js'
import { ofComment, ofInstance, ofNode, ofRevision, ofStale } from '../domain/webhook-events.js'
import { insertingDeliveries, type StoredEvent } from '../queries/insert-deliveries.js'
import { insertingNotifications } from '../queries/insert-notifications.js'
import { insertingShared } from '../queries/live-events.js'

/** Stores the events of other services for followers, as deliveries of webhooks, and as notifications. */
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
    batchHandler(eventOf(FigureStaleSchema), ({ actor, at, payload }): StoredEvent => {
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
      return {
        live: { workspaceId, objectId: figureId, message },
        hook: ofStale(at, payload),
        notifications: notificationsOf.ofStaleFigure(actor, payload),
      }
    }),
    batchHandler(
      eventOf(AccessGrantedSchema),
      ({ actor, payload }): StoredEvent => ({
        notifications: notificationsOf.ofGrant(actor, payload),
      }),
    ),
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
      const notifications = notificationsOf.ofComment(actor, payload)
      if (silent) return notifications.length > 0 ? { notifications } : undefined
      const change = { ...payload, mentioned: [], parentAuthor: '' }
      const message = jsonOf({ event: { case: 'comment', value: { actor, change } } })
      return {
        live: { workspaceId, objectId: targetId, message },
        hook: ofComment(actor, at, payload),
        notifications,
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
  alsoWrites: {
    expressions: `${insertingDeliveries.expressions}, ${insertingNotifications.expressions}`,
    // Not `or`, which may leave out the second part, and with it what it enqueues.
    hasRows: `greatest(${insertingDeliveries.hasRows}, ${insertingNotifications.hasRows})`,
  },
  onWritten(ctx, hasDeliveriesOrNotifications) {
    ctx.announceLive()
    if (!hasDeliveriesOrNotifications) return
    ctx.announceDeliveries()
    ctx.wakeJobs()
  },
})

const jsonOf = (message: MessageInitShape<typeof FollowEventsResponseSchema>) =>
  toJson(FollowEventsResponseSchema, create(FollowEventsResponseSchema, message))
