import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import type { Logger } from '../log.js'
import { withTimeout } from '../timing/with-timeout.js'

type RedisClient = ReturnType<typeof newClient>

/** A connection that reconnects by itself; while it is unavailable, commands fail at once. */
export type RedisConnection = Disposable & {
  client: RedisClient
  /** Resolves with the first response; rejects if there is none within `timeoutMs`. */
  waitUntilReady(timeoutMs: number): Promise<void>
}

const connectTimeoutMs = 5000
const reconnectDelayMaxMs = 1000
const pingEveryMs = 1000
const pingTimeoutMs = 2000
/** Socket timeout of the handshake; pings cover the rest. */
const silenceMs = 5000

/** Connects in the background. Logs once when Redis becomes unavailable and when it is available again. */
export function connectRedis(url: string, log: Logger): RedisConnection {
  const client = newClient(url)
  const stopping = new AbortController()
  let isUnavailable: boolean | undefined
  const first = new Promise<void>((resolve, reject) => {
    client.once('ready', resolve).once('error', reject)
  })
  first.catch(() => {})
  const onUnavailable = (err: unknown) => {
    // Before the first connection, startup reports the failure.
    if (isUnavailable !== false) return
    log.warn({ err }, 'Redis is unavailable: each process counts limits for itself')
    isUnavailable = true
  }
  client.on('error', onUnavailable)
  client.on('ready', () => {
    if (isUnavailable) log.info('Redis is available again')
    isUnavailable = false
  })
  connect(client)
  void keepAlive(client, onUnavailable, stopping.signal)
  return {
    client,
    waitUntilReady: (timeoutMs) =>
      withTimeout(
        timeoutMs,
        first.then(() => pinged(client)),
      ),
    [Symbol.dispose]() {
      stopping.abort()
      if (client.isOpen) client.destroy()
    },
  }
}

const newClient = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: silenceMs,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, reconnectDelayMaxMs),
    },
  })

/** Rejects only if it is destroyed meanwhile; connection errors are events. */
const connect = (client: RedisClient) => void client.connect().catch(() => {})

/** Reconnects if pings are not answered, so that counting does not wait for a dead connection. */
async function keepAlive(
  client: RedisClient,
  onUnavailable: (err: unknown) => void,
  signal: AbortSignal,
) {
  while (!signal.aborted) {
    await sleep(pingEveryMs, undefined, { signal, ref: false }).catch(() => {})
    if (!client.isReady || (await isResponsive(client)) || signal.aborted) continue
    onUnavailable(new Error('Redis does not respond'))
    client.destroy()
    connect(client)
  }
}

/** The client is `ready` before Redis reports a missing password, so startup sends a command. */
const pinged = async (client: RedisClient) => void (await client.ping())

async function isResponsive(client: RedisClient): Promise<boolean> {
  const pong = client.ping().then(
    () => true,
    // The connection was closed; the client notices by itself.
    () => true,
  )
  // If this process was busy, the response may be waiting to be read.
  const timedOut = sleep(pingTimeoutMs, undefined, { ref: false }).then(() => setImmediate(false))
  return Promise.race([pong, timedOut])
}
