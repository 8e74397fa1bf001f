import assert from 'node:assert/strict'
import type { JsonObject } from '@bufbuild/protobuf'
import { newOrderedId } from '@figbase/kit/ids'
import { liveEvents } from '../../src/consumers/live-events.js'
import type { Ctx } from '../../src/context.js'

/** Stores an event as the consumer does. */
export async function receiveEvent(
  ctx: Ctx,
  { name }: { name: string },
  payload: JsonObject,
  actor = 'bob',
): Promise<void> {
  const handler = liveEvents.handlers.find(({ event }) => event.name === name)
  assert.ok(handler)
  const event = { id: newOrderedId(), name, key: '', actor, requestId: '', payload }
  const row = handler.rowOf({ ...event, at: new Date().toISOString() })
  const values = {
    ...{ days: ['2026-11-22'], ids: [event.id], keys: [''], consumer: liveEvents.name },
    rows: [row === undefined ? null : JSON.stringify(row)],
  }
  const [answer] = await ctx.write((db) => liveEvents.writeFresh(db, values))
  liveEvents.onWritten(ctx, answer?.has_also_written ?? false)
}
