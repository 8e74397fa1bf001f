import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from 'node:http2'

type Handler = (req: Http2ServerRequest, res: Http2ServerResponse) => void

/** Poll interval for the end of the response, for which Node has no event. */
const pollMs = 5

/**
 * Resets the stream of a call whose response was sent before all of its request was read. Otherwise a caller that keeps
 * sending, or does nothing, would keep it open and delay a shutdown. The reset has the code NO_ERROR and follows the
 * trailers, so that the caller receives the response.
 */
export function withUnreadRequestsReset(handler: Handler): Handler {
  return (req, res) => {
    const { stream } = req
    stream.once('wantTrailers', () => {
      if (!stream.readableEnded) resetWhenSent(stream)
    })
    handler(req, res)
  }
}

function resetWhenSent(stream: ServerHttp2Stream) {
  // `closed`: the caller ended the stream, but part of the request is unread.
  const isSent = stream.closed || stream.state.localClose === 1
  if (stream.destroyed) return
  if (isSent) stream.destroy()
  else setTimeout(resetWhenSent, pollMs, stream)
}
