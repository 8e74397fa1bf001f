import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from 'node:http2'

type Handler = (req: Http2ServerRequest, res: Http2ServerResponse) => void

/** How often a stream is asked whether its answer has been sent; Node has no event for it. */
const pollMs = 5

/**
 * Resets the stream of a call that was answered before all of its request was read. Otherwise a
 * caller that sends on, or does nothing, would keep it open, and a stop would wait for that. The
 * reset says NO_ERROR, and comes after the trailers, so that the caller knows the answer.
 */
export function withUnreadRequestsReset(handler: Handler): Handler {
  return (req, res) => {
    const { stream } = req
    stream.once('wantTrailers', () => {
      if (!stream.readableEnded) resetWhenAnswered(stream)
    })
    handler(req, res)
  }
}

function resetWhenAnswered(stream: ServerHttp2Stream) {
  // Closed: the caller ended it, too, but some of the request is left unread.
  const isAnswered = stream.closed || stream.state.localClose === 1
  if (stream.destroyed) return
  if (isAnswered) stream.destroy()
  else setTimeout(resetWhenAnswered, pollMs, stream)
}
