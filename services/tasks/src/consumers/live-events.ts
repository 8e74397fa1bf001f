import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { type Consumer, defineConsumer, eventOf, on } from '@figbase/kit'
import { NodeChangedSchema } from '@figbase/proto/catalog/events'
import { CommentChangedSchema } from '@figbase/proto/comments/events'
import { RevisionProcessedSchema } from '@figbase/proto/revisions/events'
import { FollowEventsResponseSchema } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { tellWorkspaces } from '../live/tell.js'
import type { SharedEvent } from '../queries/live-events.js'

/** What is to be told when the transaction of the events ends: one statement, however many there are. */
const collected = new WeakMap<Tx, SharedEvent[]>()

function collect(tx: Tx, event: SharedEvent) {
  const events = collected.get(tx)
  if (events) events.push(event)
  else collected.set(tx, [event])
}

/** What other services publish, for those who follow. */
export const liveEvents: Consumer<Ctx> = defineConsumer<Ctx>({
  name: 'live-events',
  handlers: [
    on(eventOf(NodeChangedSchema), async (_: Ctx, tx: Tx, { id, actor, payload }) => {
      const { workspaceId, silent } = payload
      if (silent || !workspaceId) return
      const value = { id, actor, change: payload }
      const message = jsonOf({ event: { case: 'activity', value } })
      collect(tx, { workspaceId, objectId: null, message })
    }),
    on(eventOf(RevisionProcessedSchema), async (_: Ctx, tx: Tx, { payload }) => {
      const { workspaceId, revisionId } = payload
      // Of a revision that was begun before this was known.
      if (!workspaceId) return
      const message = jsonOf({ event: { case: 'revision', value: payload } })
      collect(tx, { workspaceId, objectId: revisionId, message })
    }),
    on(eventOf(CommentChangedSchema), async (_: Ctx, tx: Tx, { actor, payload }) => {
      const { workspaceId, targetId, silent } = payload
      if (silent) return
      const message = jsonOf({ event: { case: 'comment', value: { actor, change: payload } } })
      collect(tx, { workspaceId, objectId: targetId, message })
    }),
  ],
  finish: (ctx, tx) => tellWorkspaces(ctx, tx, collected.get(tx) ?? []),
})

const jsonOf = (message: MessageInitShape<typeof FollowEventsResponseSchema>) =>
  toJson(FollowEventsResponseSchema, create(FollowEventsResponseSchema, message))
