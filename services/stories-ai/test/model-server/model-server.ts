import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerTo } from './answer.js'
import { control } from './control.js'
import { reportsUsage } from './openai/write.js'
import { type Protocol, protocolOf } from './protocols.js'
import { readJson } from './read-json.js'
import { Script } from './script.js'
import { send, sendJson } from './send.js'
import { type ModelRequest, Refusal, type Reply, type Scripted, type Usage } from './types.js'

export type { ModelRequest, Reply, Scripted } from './types.js'

/** How a request ended: with a complete answer, with a failure of the model, or because its client left. */
export type Outcome = 'completed' | 'failed' | 'aborted'

export type ModelServer = AsyncDisposable & {
  url: string
  /** The base URLs for the SDK's providers. */
  openaiUrl: string
  anthropicUrl: string
  apiKey: string
  requests: ModelRequest[]
  /** Requests that contradict their protocol: a test ends with none. */
  problems: string[]
  /** The responses that are being sent. */
  readonly openRequests: number
  /** Undefined while its response is being sent. */
  outcomeOf(request: ModelRequest): Outcome | undefined
  /** The usage that complete answers have reported, and how many requests ended how. */
  readonly totals: Usage & Record<Outcome, number>
  next(...replies: Scripted[]): void
  always(reply: Scripted): void
  match(text: string, ...replies: Scripted[]): void
  /** Resolves when no request is open. */
  idle(): Promise<void>
}

/** A model on 127.0.0.1 that says what a test tells it, in the protocols of OpenAI and Anthropic. */
export async function startModelServer(): Promise<ModelServer> {
  const script = new Script()
  const open = new Set<ServerResponse>()
  const outcomes = new WeakMap<ModelRequest, Outcome>()
  const totals = { input: 0, output: 0, completed: 0, failed: 0, aborted: 0 }
  const http = createServer((req, res) => {
    respond(req, res).catch((err: unknown) => {
      server.problems.push(`${req.method} ${req.url}: ${err}`)
      res.destroy()
    })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const server: ModelServer = {
    ...{ url, openaiUrl: `${url}/v1`, anthropicUrl: `${url}/anthropic/v1` },
    apiKey: 'the-api-key-of-the-tests',
    requests: [],
    problems: [],
    totals,
    get openRequests() {
      return open.size
    },
    outcomeOf: (request) => outcomes.get(request),
    next: (...replies) => script.next(...replies),
    always: (reply) => script.always(reply),
    match: (text, ...replies) => script.match(text, replies),
    async idle() {
      while (open.size > 0) await Promise.all([...open].map((res) => once(res, 'close')))
    },
    async [Symbol.asyncDispose]() {
      const closed = once(http, 'close')
      http.close()
      http.closeAllConnections()
      await closed
    },
  }

  async function respond(req: IncomingMessage, res: ServerResponse) {
    const protocol = protocolOf(req.url)
    if (protocol && req.method === 'POST') await respondAs(protocol, req, res)
    else if (/^\/control(\?|$)/.test(req.url ?? '')) await control(req, res, { server, script })
    else {
      server.problems.push(`${req.method} ${req.url} is not in the protocols`)
      sendJson(res, 404, {})
    }
  }

  async function respondAs(protocol: Protocol, req: IncomingMessage, res: ServerResponse) {
    const left = new AbortController()
    const sent: { request?: ModelRequest; reply?: Reply; usage?: Usage } = {}
    open.add(res)
    res.once('close', () => {
      const outcome = outcomeOf(sent.reply, res.writableFinished)
      totals[outcome]++
      if (outcome === 'completed') {
        totals.input += sent.usage?.input ?? 0
        totals.output += sent.usage?.output ?? 0
      }
      open.delete(res)
      if (sent.request) outcomes.set(sent.request, outcome)
      left.abort()
    })
    try {
      protocol.checkHeaders(req.headers, server.apiKey)
      const request = protocol.read(req.headers, await readJson(req))
      server.requests.push(request)
      sent.request = request
      const reply = script.replyTo(request)
      const answer = answerTo(request, reply)
      sent.reply = reply
      if (answer.usage !== 'none' && reportsUsage(request)) sent.usage = answer.usage
      await send(res, protocol, { request, reply, answer }, left.signal)
    } catch (err) {
      // Reads and writes fail when the client leaves.
      if (left.signal.aborted || req.errored || res.headersSent) {
        res.destroy()
        return
      }
      const { message } = err as Error
      const status = err instanceof Refusal ? err.status : 500
      server.problems.push(`${req.method} ${req.url}: ${message}`)
      sendJson(res, status, protocol.error(status, message))
    }
  }

  return server
}

function outcomeOf(reply: Reply | undefined, isSent: boolean): Outcome {
  if (!isSent) return reply?.cutAfter === undefined ? 'aborted' : 'failed'
  const isAnswer = reply && !reply.status && !reply.errorInStream && reply.raw === undefined
  return isAnswer ? 'completed' : 'failed'
}
