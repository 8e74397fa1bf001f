import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import { inTime } from '../../in-time.js'
import type { Logger } from '../../log.js'

type RedisClient = ReturnType<typeof newClient>

/** A connection that comes back by itself; while it is away, commands are refused at once. */
export type RedisConnection = Disposable & {
  client: RedisClient
  /** Resolves when it answers for the first time; rejects when it did not, within `timeoutMs`. */
  answered(timeoutMs: number): Promise<void>
}

const connectTimeoutMs = 5000
const reconnectDelayMaxMs = 1000
const pingEveryMs = 1000
const pingTimeoutMs = 2000
/** How long a handshake may be silent; pings look after the rest. */
const silenceMs = 5000

/** Waits for nothing. That Redis is away is logged once, and that it is back. */
export function connectRedis(url: string, log: Logger): RedisConnection {
  const client = newClient(url)
  const stopping = new AbortController()
  let isAway: boolean | undefined
  const first = new Promise<void>((resolve, reject) => {
    client.once('ready', resolve).once('error', reject)
  })
  first.catch(() => {})
  const away = (err: unknown) => {
    // Until it was there, a start that needs it says so.
    if (isAway !== false) return
    log.warn({ err }, 'Redis is away: each process counts limits for itself')
    isAway = true
  }
  client.on('error', away)
  client.on('ready', () => {
    if (isAway) log.info('Redis is back')
    isAway = false
  })
  connect(client)
  void keepAnswering(client, away, stopping.signal)
  return {
    client,
    answered: (timeoutMs) =>
      inTime(
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

/** Rejects only when it is destroyed meanwhile; its errors are events. */
const connect = (client: RedisClient) => void client.connect().catch(() => {})

/** Connects anew where nothing answers: what waits for an answer would be what is counted. */
async function keepAnswering(
  client: RedisClient,
  away: (err: unknown) => void,
  signal: AbortSignal,
) {
  while (!signal.aborted) {
    await sleep(pingEveryMs, undefined, { signal, ref: false }).catch(() => {})
    if (!client.isReady || (await isAnswering(client)) || signal.aborted) continue
    away(new Error('Redis does not answer'))
    client.destroy()
    connect(client)
  }
}

/** One that wants a password is ready before it says so. */
const pinged = async (client: RedisClient) => void (await client.ping())

async function isAnswering(client: RedisClient): Promise<boolean> {
  const pong = client.ping().then(
    () => true,
    // Then the connection is closed, which it sees itself.
    () => true,
  )
  // A process that was busy all the time has not looked for the answer yet.
  const late = sleep(pingTimeoutMs, undefined, { ref: false }).then(() => setImmediate(false))
  return Promise.race([pong, late])
}
