import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Protocol } from './protocols.js'
import type { Answer, ModelRequest, Reply } from './types.js'

type Exchange = { request: ModelRequest; reply: Reply; answer: Answer }

/** Sends the reply as its script says. Rejects if the client leaves. */
export async function send(
  res: ServerResponse,
  protocol: Protocol,
  { request, reply, answer }: Exchange,
  signal: AbortSignal,
) {
  if (reply.stallMs) await delay(reply.stallMs, undefined, { signal })
  const isStream = request.body.stream === true
  const status = reply.status ?? (reply.errorInStream && !isStream ? 500 : undefined)
  if (status) {
    const { retryAfterSeconds: seconds } = reply
    if (seconds !== undefined) res.setHeader('retry-after', seconds)
    sendJson(res, status, protocol.error(status, `The model answers ${status}.`))
    return
  }
  res.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
  if (reply.raw !== undefined) {
    res.end(reply.raw)
    return
  }
  const { start, parts, end, errorAfter } = isStream
    ? protocol.stream(request, answer)
    : halves(JSON.stringify(protocol.whole(request, answer)))
  await write(res, start)
  for (const [index, part] of parts.entries()) {
    await stopAfter(index, res, reply, signal)
    if (index > 0 && reply.delayMs) await delay(reply.delayMs, undefined, { signal })
    await write(res, part)
  }
  await stopAfter(Number.POSITIVE_INFINITY, res, reply, signal)
  res.end(reply.errorInStream ? errorAfter : end)
}

/** An answer in one piece is cut or stalls in its middle. */
function halves(json: string) {
  const half = Math.ceil(json.length / 2)
  return { start: json.slice(0, half), parts: [], end: json.slice(half), errorAfter: '' }
}

/** Cuts the connection, or is silent until the client leaves, if the script says so after these parts. */
async function stopAfter(parts: number, res: ServerResponse, reply: Reply, signal: AbortSignal) {
  const isCut = reply.cutAfter !== undefined && parts >= reply.cutAfter
  const isStalled = reply.stallAfter !== undefined && parts >= reply.stallAfter
  if (isCut) res.destroy()
  // Rejects, because the signal is aborted when the response closes.
  if (isCut || isStalled) await once(res, 'close', { signal })
  signal.throwIfAborted()
}

/** Resolves when the system has taken the text: a cut does not lose what was sent before. */
const write = (res: ServerResponse, text: string) =>
  new Promise<void>((resolve, reject) => {
    res.write(text, (err) => (err ? reject(err) : resolve()))
  })

export function sendJson(res: ServerResponse, status: number, body: unknown) {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
