import { create, fromJson, type MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { onlyWorkspace, requireUser } from '@figbase/kit/rpc'
import { FollowEventsResponseSchema, type TasksService } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import { decodeLiveCursor, encodeLiveCursor, type LiveCursor } from '../domain/live-cursor.js'
import { Follower } from '../live/follower.js'
import { missed } from '../live/missed.js'
import type { LiveEvent } from '../queries/live-events.js'

type Impl = ServiceImpl<typeof TasksService>

const quietMs = 60_000

export function followEvents(ctx: Ctx): Impl['followEvents'] {
  return async function* ({ after }, call) {
    const follower = new Follower({ username: requireUser(call), onlyIn: onlyWorkspace(call) })
    const requested = cursorOf(after)
    const isOver = () => call.signal.aborted || ctx.stopping.aborted
    let head = await ctx.feed.join(follower)
    try {
      const { start, hasGap } = startOf(requested, head, ctx.cfg.liveRetentionMs)
      yield begun(start, hasGap)
      for (let last = start.id; !isOver(); head = ctx.feed.resume(follower)) {
        for await (const event of missed(ctx, last, head, call)) yield toResponse(event)
        last = head
        for (let pending = follower.take(); pending; pending = follower.take()) {
          for (const event of pending) {
            yield toResponse(event)
            last = event.id
          }
          if (isOver()) return
          if (pending.length === 0) await follower.wakeSignal.wait(quietMs, call.signal)
        }
      }
    } finally {
      ctx.feed.leave(follower)
    }
  }
}

function cursorOf(after: string) {
  if (after === '') return undefined
  const cursor = decodeLiveCursor(after)
  if (!cursor) throw invalid('Last-Event-ID', 'is not an id sent by this server')
  return cursor
}

/** A cursor beyond the newest event is from before the database was restored from a backup. */
function startOf(requested: LiveCursor | undefined, head: bigint, retentionMs: number) {
  const now = { id: head, atMs: Date.now() }
  if (!requested) return { start: now, hasGap: false }
  if (requested.id > head) return { start: now, hasGap: true }
  return { start: requested, hasGap: Date.now() - requested.atMs > retentionMs }
}

const begun = (start: LiveCursor, hasGap: boolean) =>
  response({ id: encodeLiveCursor(start), event: { case: 'begun', value: { hasGap } } })

const response = (init: MessageInitShape<typeof FollowEventsResponseSchema>) =>
  create(FollowEventsResponseSchema, init)

function toResponse({ id, at_ms: atMs, message }: LiveEvent) {
  const response = fromJson(FollowEventsResponseSchema, message, { ignoreUnknownFields: true })
  response.id = encodeLiveCursor({ id, atMs })
  return response
}
