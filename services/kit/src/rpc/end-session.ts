import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'

const streamIdMax = 2 ** 31 - 1
/** Time for callers to receive GOAWAY. */
const noticeMs = 100
/** Time for callers to read the end of the last response, and to close the connection themselves. */
const idleMsMax = 500
/**
 * A session of Node.js 24 does not notice that a caller with TLS has closed the connection while this side was about to
 * send: it waits for that forever.
 */
const goneMsMax = 5000
const checkMs = 50

const openStreams = new WeakMap<ServerHttp2Session, number>()

/** Counts the open streams of a session, for `endSession`. */
export function countStreams(session: ServerHttp2Session): void {
  openStreams.set(session, 0)
  const add = (change: number) => openStreams.set(session, (openStreams.get(session) ?? 0) + change)
  session.on('stream', (stream: ServerHttp2Stream) => {
    add(1)
    stream.once('close', () => add(-1))
  })
}

/**
 * Ends a session without losing a call. GOAWAY first permits the calls that are on their way, and then no more. Callers
 * close the connection when they have read their responses: if this side did it, what a slow caller has not read would be
 * lost. A caller that does not close it has some time after its last call. `socket` is the connection of the session.
 */
export function endSession(session: ServerHttp2Session, socket: Socket): void {
  if (session.destroyed) return
  session.goaway(constants.NGHTTP2_NO_ERROR, streamIdMax)
  const notice = setTimeout(() => {
    if (!session.destroyed) session.goaway(constants.NGHTTP2_NO_ERROR)
  }, noticeMs)
  let idleSince = performance.now()
  const check = setInterval(() => {
    const now = performance.now()
    if (openStreams.get(session)) idleSince = now
    else if (now - idleSince > goneMsMax) socket.destroy()
    else if (now - idleSince > idleMsMax) session.close()
  }, checkMs)
  session.once('close', () => {
    clearTimeout(notice)
    clearInterval(check)
  })
}
