import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { type ApiObject, isSelected, plurals } from './api-object.js'
import { checkSchema } from './check-schema.js'
import { Kubelet } from './kubelet.js'
import { ObjectStore, type Preconditions, type StoredEvent } from './object-store.js'
import { violationsOf } from './pod-security.js'
import { checkQuota, type Quota } from './quota.js'
import {
  expired,
  forbidden,
  notFound,
  notPermitted,
  StatusError,
  unauthorized,
} from './status-error.js'

/** One request, as tests may interfere with it: wait, or throw a StatusError or, to cut the connection, anything. */
export type Call = { verb: string; plural: string; name: string }
export type Interfere = (call: Call, when: 'before' | 'after') => Promise<void> | void

type Watcher = {
  plural: string
  response: ServerResponse
  send(type: string, object: object): void
}

const bookmarkMs = 30
export const token = 'secret-of-figbase'
export const namespace = 'notebooks'

/** An API server with the resources that the driver uses, and a node that runs its pods. */
export class ApiServer implements AsyncDisposable {
  token = token
  /** The clock of the server. */
  now = () => Date.now()
  readonly store = new ObjectStore(() => this.now())
  readonly kubelet = new Kubelet(this.store)
  interfere: Interfere = () => {}
  quota: Quota = {}
  /** The most items of a page. */
  pageMax = 1000
  /** What the credentials do not permit: `create pods`. */
  readonly forbidden = new Set<string>()
  /** What was asked for. */
  readonly used = new Set<string>()
  /** What the metrics API says; undefined: the cluster has none. */
  usage: { cpu: string; memory: string } | undefined
  readonly #server: Server
  readonly #watchers = new Set<Watcher>()
  /** What the rest of a list goes on from. */
  readonly #pages = new Map<string, { items: ApiObject[]; version: number }>()

  /** Connections that were opened. */
  connections = 0
  readonly #scheme: string

  constructor(tls?: ServerOptions) {
    const handler = (request: IncomingMessage, response: ServerResponse) =>
      void this.#respond(request, response)
    this.#server = tls ? createTlsServer(tls, handler) : createServer(handler)
    this.#scheme = tls ? 'https' : 'http'
    this.#server.on('connection', () => this.connections++)
    this.store.onEvent((event) => this.#tell(event))
  }

  static async start(tls?: ServerOptions): Promise<ApiServer> {
    const server = new ApiServer(tls)
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get watchers(): number {
    return this.#watchers.size
  }

  /** Forgets old events, as etcd does; watches end with an error, and pages of lists expire. */
  compact(): void {
    this.store.compact()
    this.#pages.clear()
    for (const { response, send } of this.#endWatches()) {
      send('ERROR', expired(0, this.store.compactedTo).body)
      response.end()
    }
  }

  /** Cuts all watches off in the middle of a line. */
  interruptWatches(): void {
    for (const { response } of this.#endWatches()) {
      response.write('{"type":"MODI')
      response.destroy()
    }
  }

  #endWatches(): Watcher[] {
    const ended = [...this.#watchers]
    this.#watchers.clear()
    return ended
  }

  async [Symbol.asyncDispose]() {
    await this.kubelet[Symbol.asyncDispose]()
    if (!this.#server.listening) return
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  async #respond(request: IncomingMessage, response: ServerResponse) {
    response.setHeader('date', new Date(this.now()).toUTCString())
    try {
      const isCertified = (request.socket as TLSSocket).authorized
      const isKnown = isCertified || request.headers.authorization === `Bearer ${this.token}`
      if (!isKnown) throw unauthorized()
      await this.#handle(request, response)
    } catch (error) {
      if (!(error instanceof StatusError)) return void request.socket.destroy()
      reply(response, error.code, error.body)
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '', this.url)
    const [, group = '', given = '', plural = '', name = ''] =
      /^\/(?:api|apis\/([^/]+))\/v1(?:beta1)?\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/.exec(
        url.pathname,
      ) ?? []
    const query = url.searchParams
    const isMetrics = group === 'metrics.k8s.io' && this.usage !== undefined
    if (!isMetrics && plurals[plural]?.group !== group) {
      throw new StatusError(404, 'NotFound', 'the server could not find the requested resource')
    }
    const verb = verbOf(request.method ?? '', name, query.has('watch'))
    const what = `${verb} ${group === 'metrics.k8s.io' ? 'pods.metrics.k8s.io' : plural}`
    this.used.add(what)
    if (this.forbidden.has(what)) throw notPermitted(verb, plural, given)
    const call = { verb, plural, name }
    await this.interfere(call, 'before')
    if (isMetrics)
      return reply(response, 200, { containers: [{ name: 'notebook', usage: this.usage }] })
    if (verb === 'watch') return this.#watch(plural, query, response)
    const body = request.method === 'GET' ? {} : ((await json(request)) as ApiObject)
    const result = this.#act(call, given, body as ApiObject, query, request.headers['content-type'])
    await this.interfere(call, 'after')
    reply(response, verb === 'create' ? 201 : 200, result)
  }

  #act(
    { verb, plural, name }: Call,
    inNamespace: string,
    body: ApiObject,
    query: URLSearchParams,
    type = '',
  ): object {
    switch (verb) {
      case 'get':
        return this.store.get(plural, name)
      case 'list':
        return this.#list(plural, query)
      case 'create':
        return this.#create(plural, inNamespace, body, query.get('dryRun') === 'All')
      case 'update':
        checkSchema(plural, body)
        return this.store.update(plural, body)
      case 'patch': {
        if (type !== 'application/merge-patch+json')
          throw new StatusError(415, 'UnsupportedMediaType', type)
        const merged = merge(this.store.get(plural, name), body) as ApiObject
        checkSchema(plural, merged)
        return this.store.update(plural, merged)
      }
      default: {
        const { preconditions } = body as { preconditions?: Preconditions }
        return this.store.delete(plural, name, preconditions)
      }
    }
  }

  #create(plural: string, inNamespace: string, body: ApiObject, isTrial: boolean) {
    const { name } = body.metadata
    if (inNamespace !== namespace) throw notFound('namespaces', inNamespace)
    checkSchema(plural, body)
    if (plural === 'pods') {
      const violations = violationsOf(body as never)
      if (violations.length > 0)
        throw forbidden(
          plural,
          name,
          `violates PodSecurity "restricted:latest": ${violations.join(', ')}`,
        )
    }
    checkQuota(this.store, this.quota, plural, body)
    return this.store.create(
      plural,
      { ...body, metadata: { ...body.metadata, namespace } },
      isTrial,
    )
  }

  #list(plural: string, query: URLSearchParams): object {
    const limit = Math.min(this.pageMax, Number(query.get('limit') ?? this.pageMax))
    const pageToken = query.get('continue')
    const page = pageToken
      ? this.#pages.get(pageToken)
      : { items: this.#selected(plural, query), version: this.store.version }
    if (!page) throw expired(0, this.store.compactedTo)
    const items = page.items.slice(0, limit)
    const rest = page.items.slice(items.length)
    const next = rest.length > 0 ? `page-${this.#pages.size + 1}-${page.version}` : ''
    if (next) this.#pages.set(next, { items: rest, version: page.version })
    const metadata = { resourceVersion: String(page.version), ...(next && { continue: next }) }
    const kind = plurals[plural]?.kind ?? ''
    // Items of lists have no kind.
    return {
      kind: `${kind}List`,
      apiVersion: 'v1',
      metadata,
      items: items.map(({ kind: _, apiVersion: __, ...item }) => item),
    }
  }

  #selected = (plural: string, query: URLSearchParams) =>
    this.store.list(plural).filter((one) => isSelected(one, query.get('labelSelector') ?? ''))

  #watch(plural: string, query: URLSearchParams, response: ServerResponse) {
    const missed = this.store.since(Number(query.get('resourceVersion')))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    const watcher: Watcher = {
      plural,
      response,
      send(type, object) {
        const line = `${JSON.stringify({ type, object })}\n`
        const half = Math.floor(line.length / 2)
        response.write(line.slice(0, half))
        response.write(line.slice(half))
      },
    }
    const bookmarks = setInterval(() => {
      if (!this.#watchers.has(watcher)) return
      const metadata = { resourceVersion: String(this.store.version) }
      watcher.send('BOOKMARK', { kind: plurals[plural]?.kind, apiVersion: 'v1', metadata })
    }, bookmarkMs)
    this.#watchers.add(watcher)
    response.once('close', () => {
      clearInterval(bookmarks)
      this.#watchers.delete(watcher)
    })
    for (const event of missed) if (event.plural === plural) watcher.send(event.type, event.object)
  }

  #tell({ plural, type, object }: StoredEvent) {
    for (const watcher of this.#watchers) if (watcher.plural === plural) watcher.send(type, object)
  }
}

function verbOf(method: string, name: string, isWatch: boolean): string {
  if (method === 'GET') return isWatch ? 'watch' : name ? 'get' : 'list'
  return { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }[method] ?? method
}

function reply(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** A JSON merge patch: null removes. */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const merged: Record<string, unknown> = { ...(target as object) }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = merge(merged[key] ?? {}, value)
  }
  return merged
}
