import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigError } from '../config/config.js'
import { Lifecycle } from '../lifecycle/lifecycle.js'
import type { Metrics } from '../metrics/metrics.js'
import { createReadiness, type Readiness } from './readiness.js'
import { readinessResponse } from './readiness-response.js'
import type { OperationsSettings } from './settings.js'

/** The operations endpoint of a process: `/metrics`, `/livez`, `/readyz`. */
export type Operations = AsyncDisposable & {
  port: number
  metrics: Metrics
  readiness: Readiness
}

type Answer = { status: number; type: string; text: string }

const connectionsMax = 100

/**
 * Opens the operations endpoint; undefined if disabled. Open it first and dispose it last, so that it reports
 * startup and shutdown.
 */
export async function openOperations(
  settings: OperationsSettings,
): Promise<Operations | undefined> {
  const { host, port, timeoutMs } = settings
  if (port === undefined) return undefined
  // Loaded on demand, for a faster startup without metrics.
  const { createMetrics } = await import('../metrics/create.js')
  const lifecycle = new Lifecycle()
  const readiness = createReadiness(timeoutMs)
  const metrics = createMetrics(timeoutMs, readiness.dependencies)
  lifecycle.onStop(() => metrics[Symbol.dispose]())
  const server = createServer((req, res) => void serve({ metrics, readiness }, req, res))
  server.maxConnections = connectionsMax
  try {
    await listen(server, host, port)
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
  lifecycle.onStop(() => close(server))
  return {
    port: (server.address() as AddressInfo).port,
    metrics,
    readiness,
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}

type Served = Pick<Operations, 'metrics' | 'readiness'>

async function serve(served: Served, req: IncomingMessage, res: ServerResponse) {
  const { status, type, text } = await answerTo(served, req).catch(() =>
    json(500, { error: 'internal', detail: 'internal error' }),
  )
  res.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  })
  res.end(text)
}

async function answerTo({ metrics, readiness }: Served, req: IncomingMessage): Promise<Answer> {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    return json(405, { error: 'method_not_allowed', detail: 'use GET or HEAD' })
  }
  switch (req.url?.split('?')[0]) {
    case '/metrics':
      return { status: 200, type: metrics.contentType, text: await metrics.text() }
    case '/livez':
      return json(200, { status: 'alive' })
    case '/readyz': {
      const { status, body } = readinessResponse(await readiness.state())
      return json(status, body)
    }
    default:
      return json(404, { error: 'not_found', detail: 'use /metrics, /livez or /readyz' })
  }
}

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  text: JSON.stringify(body),
})

function listen(server: Server, host: string, port: number) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) => reject(new ConfigError(`OPERATIONS_PORT: ${message}`)))
    server.listen(port, host, () => resolve())
  })
}

function close(server: Server) {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Do not wait for monitoring clients.
  server.closeAllConnections()
  return closed
}
