import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'

type Handler = (req: Http2ServerRequest, res: Http2ServerResponse) => void

/**
 * Ignores calls that have ended already. A process that was suspended, or blocked, reads the calls of that time
 * together with their cancellations; without this it would do the work of callers that gave up, after their next
 * calls. Cancellations are read before the next turn of the event loop.
 */
export function withEndedRequestsIgnored(handler: Handler): Handler {
  return (req, res) =>
    void setImmediate(() => {
      if (!req.stream.closed && !req.stream.destroyed) handler(req, res)
    })
}
