import { create, fromJson, type MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { invalid, onlyWorkspace, requireUser } from '@figbase/kit'
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
    const asked = cursorOf(after)
    const isOver = () => call.signal.aborted || ctx.stopping.aborted
    let head = await ctx.feed.join(follower)
    try {
      const { start, hasGap } = startOf(asked, head, ctx.cfg.liveRetentionMs)
      yield begun(start, hasGap)
      for (let last = start.id; !isOver(); head = ctx.feed.resume(follower)) {
        for await (const event of missed(ctx, last, head, call)) yield toResponse(event)
        last = head
        for (let waiting = follower.take(); waiting; waiting = follower.take()) {
          for (const event of waiting) {
            yield toResponse(event)
            last = event.id
          }
          if (isOver()) return
          if (waiting.length === 0) await follower.bell.wait(quietMs, call.signal)
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
  if (!cursor) throw invalid('Last-Event-ID', 'is not an id that this server sent')
  return cursor
}

/** A cursor from beyond our newest event is from before the table was restored. */
function startOf(asked: LiveCursor | undefined, head: bigint, retentionMs: number) {
  const now = { id: head, atMs: Date.now() }
  if (!asked) return { start: now, hasGap: false }
  if (asked.id > head) return { start: now, hasGap: true }
  return { start: asked, hasGap: Date.now() - asked.atMs > retentionMs }
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
