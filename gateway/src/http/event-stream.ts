import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EventStream, ServerSentEvent } from '../endpoint.js'

/** Disable compression and proxy buffering, so that each event arrives at once. */
export const eventStreamHeaders: Record<string, string> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/** Sends events until they end, and a comment every `heartbeatMs` to keep the connection alive. */
export async function sendEvents(
  req: IncomingMessage,
  res: ServerResponse,
  { events, end, isAllowed, heartbeatMs, retryMs }: EventStream,
): Promise<void> {
  if (req.method === 'HEAD') end.abort()
  const heartbeat = setInterval(async () => {
    if (!(await isAllowed())) end.abort()
    else if (!end.signal.aborted && !res.writableNeedDrain) res.write(': heartbeat\n\n')
  }, heartbeatMs)
  try {
    if (retryMs) res.write(`retry: ${retryMs}\n\n`)
    else res.flushHeaders()
    for await (const event of events) {
      if (!res.write(textOf(event))) await once(res, 'drain', { signal: end.signal })
    }
  } catch (error) {
    if (!end.signal.aborted) throw error
  } finally {
    clearInterval(heartbeat)
    end.abort()
  }
  res.end()
}

const textOf = ({ id, event, data }: ServerSentEvent) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
