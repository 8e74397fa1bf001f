import { create, fromJson, type MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { onlyWorkspace, requireUser } from '@figbase/kit/rpc'
import { FollowEventsResponseSchema, type TasksService } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import { decodeLiveCursor, encodeLiveCursor, type LiveCursor } from '../domain/live-cursor.js'
import { Follower } from '../live/follower.js'
import { missed } from '../live/missed.js'
import { type LiveEvent, newestIdBefore } from '../queries/live-events.js'

type Impl = ServiceImpl<typeof TasksService>

const quietMs = 60_000
/** An event becomes visible this much later than its time, at most. */
const commitMs = 5000

export function followEvents(ctx: Ctx): Impl['followEvents'] {
  return async function* ({ after, pastMs }, call) {
    const follower = new Follower({ username: requireUser(call), onlyIn: onlyWorkspace(call) })
    const requested = cursorOf(after)
    const isOver = () => call.signal.aborted || ctx.stopping.aborted
    let head = await ctx.feed.join(follower)
    try {
      const { start, hasGap } = requested
        ? resumedAt(requested, head, ctx.cfg.liveRetentionMs)
        : await startedAt(ctx, head, pastMs)
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

/** Begins with the events of the last `pastMs`. */
async function startedAt({ db, cfg }: Ctx, head: bigint, pastMs: number) {
  const hasGap = pastMs > cfg.liveRetentionMs
  const id = pastMs === 0 || hasGap ? head : await newestIdBefore(db, pastMs + commitMs)
  return { start: { id: id < head ? id : head, atMs: Date.now() - pastMs }, hasGap }
}

/** A cursor beyond the newest event is from before the database was restored from a backup. */
function resumedAt(requested: LiveCursor, head: bigint, retentionMs: number) {
  const now = { id: head, atMs: Date.now() }
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
