import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createBoundedServer, createGracefulClose, listen } from '@figbase/kit/http'
import type { Logger } from '@figbase/kit/log'
import { cookieFor, cookiesOf } from './cookie.js'
import { basePathOf, instanceOf, localOrigin, type NotebookOrigin } from './origin.js'
import { type Refusal, refusals, refuse, safeHeaders } from './page.js'
import { createNotebookProxy } from './proxy.js'
import { isOwnRequest, isOwnUpgrade } from './same-origin.js'
import { type LoadTargets, Sessions, type Target } from './sessions.js'
import type { ConnectSettings } from './settings.js'
import type { Session, Tickets } from './tickets.js'

export type NotebookServer = AsyncDisposable & {
  /** The port that it listens on; that of the settings before. */
  port(): number
  /** Where browsers find it. */
  origin(): NotebookOrigin
  /** Begins to listen. If the port is in use, because another process of this machine serves it, tries again later. */
  start(): Promise<void>
}

type Parts = {
  settings: ConnectSettings
  tickets: Tickets
  load: LoadTargets
  /** Marks an address as used; true for the first call only. */
  useAddress: (session: Session) => Promise<boolean>
  log: Logger
}

/** The path that a single-use address opens a notebook with. */
export const openPath = '/open/'
const retryMs = 5000
const closeMsMax = 5000
const refusedBodyTimeoutMs = 1000
const refusedBodyBytesMax = 2 ** 20

/** What a request may reach. */
type Allowed = { session: Session; target: Target }

/** Serves the notebooks of all running instances on an origin, or on origins, of their own. */
export function createNotebookServer(parts: Parts): NotebookServer {
  const { settings, tickets, log } = parts
  const sessions = new Sessions(parts.load, settings, log)
  const proxy = createNotebookProxy(settings, log)
  let { port } = settings
  const origin = () => settings.origin ?? localOrigin(port)

  /** The session of a request for a notebook and what it may reach, or why it may not. */
  async function allow(
    req: IncomingMessage,
    isOwn: (req: IncomingMessage, origin: string) => boolean,
  ): Promise<Allowed | Refusal> {
    const instanceId = instanceOf(req.url ?? '')
    if (!instanceId) return refusals.unknown
    if (req.headers.host !== origin().hostOf(instanceId)) return refusals.misdirected
    if (!isOwn(req, origin().of(instanceId))) return refusals.foreign
    const session = cookiesOf(req.headers, origin())
      .map(tickets.readCookie)
      .find((one) => one?.instanceId === instanceId)
    if (!session) return refusals.signedOut
    return reach(session)
  }

  async function reach(session: Session): Promise<Allowed | Refusal> {
    try {
      const target = await sessions.target(session)
      return target ? { session, target } : refusals.signedOut
    } catch (err) {
      log.warn({ err }, 'a session of a notebook cannot be checked')
      return refusals.unavailable
    }
  }

  async function open(req: IncomingMessage, res: ServerResponse, url: URL) {
    if (req.method !== 'GET') return refuse(res, refusals.unknown)
    const session = tickets.readAddress(url.searchParams.get('ticket') ?? '')
    if (!session) return refuse(res, refusals.signedOut)
    const { instanceId, username } = session
    if (req.headers.host !== origin().hostOf(instanceId)) return refuse(res, refusals.misdirected)
    const allowed = await reach(session)
    if ('status' in allowed) return refuse(res, allowed)
    const isFirst = await parts.useAddress(session)
    if (!isFirst) return refuse(res, refusals.signedOut)
    log.info({ instanceId, username }, 'notebook opened')
    const cookie = tickets.signCookie(session, settings.sessionLifetimeMs)
    res.writeHead(303, {
      ...safeHeaders,
      location: basePathOf(instanceId),
      'set-cookie': cookieFor(origin(), instanceId, cookie),
      'content-length': 0,
    })
    res.end()
  }

  async function request(req: IncomingMessage, res: ServerResponse) {
    const url = urlOf(req)
    if (!url) return refuse(res, refusals.malformed)
    if (url.pathname === openPath) return open(req, res, url)
    const allowed = await allow(req, isOwnRequest)
    if ('status' in allowed) return refuse(res, allowed)
    if (res.destroyed) return
    const release = sessions.hold(allowed.session, () => req.socket.destroy())
    if (!release) return refuse(res, refusals.tooMany)
    res.once('close', release)
    proxy.request(allowed.target, req, res)
  }

  async function upgrade(req: IncomingMessage, socket: Socket, head: Buffer) {
    socket.on('error', () => socket.destroy())
    const allowed = urlOf(req) ? await allow(req, isOwnUpgrade) : refusals.malformed
    if ('status' in allowed) return refuseUpgrade(socket, allowed)
    if (socket.destroyed) return
    const release = sessions.hold(allowed.session, () => socket.destroy())
    if (!release) return refuseUpgrade(socket, refusals.tooMany)
    socket.once('close', release)
    proxy.upgrade(allowed.target, req, socket, head)
  }

  const bounds = { ...settings, keepAliveTimeoutMs: settings.idleTimeoutMs }
  const server = createBoundedServer(
    { ...bounds, refusedBodyTimeoutMs, refusedBodyBytesMax, errorHeaders: safeHeaders },
    log,
    (req, res) => {
      request(req, res).catch((err: unknown) => {
        log.error({ err }, 'a request for a notebook failed')
        refuse(res, refusals.unavailable)
      })
    },
  )
  server.on('upgrade', (req, socket, head) => {
    upgrade(req, socket as Socket, head).catch((err: unknown) => {
      log.error({ err }, 'a WebSocket of a notebook failed')
      socket.destroy()
    })
  })
  const close = createGracefulClose(server, log)
  let retry: NodeJS.Timeout | undefined

  async function start() {
    try {
      await listen(server, settings.host, settings.port)
      port = (server.address() as AddressInfo).port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      if (!retry) log.warn({ port: settings.port }, 'COMPUTE_PORT is in use; will be tried again')
      retry = setTimeout(() => {
        start().catch((err: unknown) => log.error({ err }, 'notebooks cannot be served'))
      }, retryMs)
    }
  }

  return {
    port: () => port,
    origin,
    start,
    async [Symbol.asyncDispose]() {
      clearTimeout(retry)
      // Also closes WebSockets, which reconnect to another process.
      await sessions[Symbol.asyncDispose]()
      if (server.listening) await close(closeMsMax)
      proxy.close()
    },
  }
}

/** Undefined unless the target is a path without segments that a browser would resolve. */
function urlOf({ url = '' }: IncomingMessage): URL | undefined {
  if (!url.startsWith('/') || url.startsWith('//') || !URL.canParse(url, 'http://notebooks')) {
    return undefined
  }
  const parsed = new URL(url, 'http://notebooks')
  return url.split('?')[0] === parsed.pathname ? parsed : undefined
}

function refuseUpgrade(socket: Socket, { status, title }: Refusal) {
  const lines = [`HTTP/1.1 ${status} ${title}`, 'connection: close', 'content-length: 0']
  socket.end(`${lines.join('\r\n')}\r\n\r\n`, () => socket.destroy())
}
