import type { MessageInitShape } from '@bufbuild/protobuf'
import type { FollowEventsRequestSchema, FollowEventsResponse } from '@figbase/proto/tasks'
import { z } from 'zod'
import {
  type Endpoint,
  type EventStream,
  endpoint,
  type Input,
  type ServerSentEvent,
} from '../../endpoint.js'
import { abortedWith } from '../../http/aborted-with.js'
import { eventShape } from '../../shapes/event.js'
import { liveEventSchema } from '../../shapes/live-events.js'

/** How long a browser waits before it connects again. */
const retryMs = 3000

export const followEvents: Endpoint = endpoint({
  method: 'GET',
  path: '/events/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'followEvents',
  summary: 'Follow live events',
  description:
    'The events are the tasks of the caller, and changes in workspaces that the caller may view. `Last-Event-ID` resumes after an event. The answer ends when the credentials expire.',
  responses: { 200: null },
  errors: { 429: ['too_many_streams'] },
  mediaType: 'text/event-stream',
  events: liveEventSchema,
  requestHeaders: z.object({ 'Last-Event-ID': z.string().optional() }),
  handle: (input) => streamEvents(input),
})

type EventReply = EventStream & { status: number }
type From = Pick<MessageInitShape<typeof FollowEventsRequestSchema>, 'pastMs'>

/** The events after `Last-Event-ID`; without it, those of the last `pastMs` and later ones. */
export async function streamEvents(input: Input, from: From = {}): Promise<EventReply> {
  const { headers, services, streamCall, stopping, isAllowed, cfg } = input
  const end = abortedWith(streamCall.signal, stopping)
  const after = String(headers['last-event-id'] ?? '')
  const options = { ...streamCall, signal: end.signal }
  const stream = services.tasks.followEvents({ after, ...from }, options)
  const responses = stream[Symbol.asyncIterator]()
  // Wait for the first event, so that an error gets an error response.
  const first = await responses.next().catch((error) => {
    end.abort()
    throw error
  })
  return {
    status: 200,
    events: toEvents(first, responses),
    end,
    isAllowed,
    heartbeatMs: cfg.eventHeartbeatMs,
    retryMs,
  }
}

async function* toEvents(
  first: IteratorResult<FollowEventsResponse>,
  rest: AsyncIterator<FollowEventsResponse>,
): AsyncGenerator<ServerSentEvent> {
  for (let next = first; !next.done; next = await rest.next()) {
    const event = eventShape(next.value)
    if (event) yield event
  }
}
