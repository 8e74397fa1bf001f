import {
  Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from '@figbase/kit/log'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { frameLengths } from './frame-lengths.js'
import { refusals, refuse } from './page.js'
import { removeText } from './remove-text.js'
import type { Target } from './sessions.js'

/** Passes requests that were allowed on to a notebook server. */
export type NotebookProxy = {
  request(target: Target, req: IncomingMessage, res: ServerResponse): void
  upgrade(target: Target, req: IncomingMessage, socket: Socket, head: Buffer): void
  close(): void
}

type Settings = { frameBytesMax: number; idleTimeoutMs: number }

/** Of requests: what would tell the notebook server, and so the notebook, of the browser's other sessions. */
const withheld = ['cookie', 'proxy-authorization', 'x-forwarded-for', 'forwarded']
/** Of responses: no script may set cookies or widen the scope of a service worker. */
const dropped = [
  'set-cookie',
  'service-worker-allowed',
  'connection',
  'keep-alive',
  'transfer-encoding',
]

/**
 * The token of the notebook server is added to each request, and removed from the pages and headers of its responses,
 * so the browser never has it. Cookies pass in neither direction: the token makes them superfluous.
 */
export function createNotebookProxy(settings: Settings, log: Logger): NotebookProxy {
  const agent = new Agent({ keepAlive: true })
  const targets = new WeakMap<IncomingMessage, Target>()
  const targetOf = (req: IncomingMessage): Target => {
    const target = targets.get(req)
    if (!target) throw new Error('a request has no target')
    return target
  }
  const proxy = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: 'http://127.0.0.1:9',
    router: (req) => targetOf(req).address,
    agent,
    selfHandleResponse: true,
    proxyTimeout: settings.idleTimeoutMs,
    logger: undefined as never,
    on: {
      proxyReq(sent, req) {
        for (const name of withheld) sent.removeHeader(name)
        sent.setHeader('authorization', `token ${targetOf(req).token}`)
        // So that the token can be found in pages.
        sent.setHeader('accept-encoding', 'identity')
      },
      proxyReqWs(sent, req, socket) {
        for (const name of withheld) sent.removeHeader(name)
        sent.setHeader('authorization', `token ${targetOf(req).token}`)
        // The proxy itself leaves the other side open.
        socket.once('close', () => sent.destroy())
        const clean = ({ headers }: IncomingMessage) => void delete headers['set-cookie']
        sent.prependListener('response', clean)
        sent.prependListener('upgrade', (response: IncomingMessage, upstream: Duplex) => {
          clean(response)
          socket.once('close', () => upstream.destroy())
          upstream.once('close', () => socket.destroy())
          // After both are connected, and before anything is read.
          process.nextTick(limitFrames, socket, upstream, settings.frameBytesMax)
        })
      },
      proxyRes(response, req, res) {
        const { token } = targetOf(req)
        const isPage = response.headers['content-type']?.startsWith('text/html')
        res.writeHead(response.statusCode ?? 502, headersOf(response, token, isPage))
        const copied = isPage ? pipeline(response, removeText(token), res) : pipeline(response, res)
        // One of both has ended.
        copied.catch(() => res.destroy())
      },
      error(error, _req, res) {
        log.debug({ err: error }, 'a notebook server does not respond')
        if ('writeHead' in res) refuse(res, refusals.unresponsive)
        else res.destroy()
      },
    },
  })
  return {
    request(target, req, res) {
      targets.set(req, target)
      void proxy(req, res, () => {})
    },
    upgrade(target, req, socket, head) {
      targets.set(req, target)
      void proxy.upgrade(req as never, socket, head)
    },
    close: () => agent.destroy(),
  }
}

function headersOf(
  { headers }: IncomingMessage,
  token: string,
  isPage: boolean | undefined,
): OutgoingHttpHeaders {
  const shown: OutgoingHttpHeaders = {}
  for (const [name, value = ''] of Object.entries(headers)) {
    if (dropped.includes(name) || (isPage && name === 'content-length')) continue
    shown[name] = typeof value === 'string' ? value.replaceAll(token, '') : value
  }
  return {
    ...shown,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  }
}

/** Closes the connection when a frame of either side is too long. */
function limitFrames(client: Duplex, server: Duplex, bytesMax: number) {
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    const isShort = frameLengths(bytesMax)
    from.on('data', (chunk: Buffer) => {
      if (isShort(chunk)) return
      from.destroy()
      to.destroy()
    })
  }
}
