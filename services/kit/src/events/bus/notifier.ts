import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from '../../db/resolve-database.js'
import { openSession, type Session } from '../../db/session.js'
import type { Logger } from '../../log.js'

/**
 * NOTIFY and LISTEN of one process. Notifications are missed while the connection is lost, and always behind a
 * pooler, which has no session that could listen. `resumed` of `createNotifier` is called after a reconnect.
 */
export type Notifier = AsyncDisposable & {
  on(channel: string, handle: (text: string) => void): void
  /** Starts listening; reconnects after a lost connection. */
  listen(): Promise<void>
  /** Sends the payloads soon, each once; never inside a transaction, where NOTIFY would delay commits. */
  notify(channel: string, payloads: string[]): void
}

// Notifications within this time are combined, because each NOTIFY waits for those before it.
const coalesceMs = 2
const retryMs = 1000
const textCharsMax = 7000

export function createNotifier(
  pool: pg.Pool,
  database: Database,
  channels: string[],
  log: Logger,
  resumed: () => void,
): Notifier {
  const stopping = new AbortController()
  const handlers = new Map<string, (text: string) => void>()
  const pending = new Map<string, Set<string>>()
  let listening: Promise<void> | undefined
  let ended: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let flushing = Promise.resolve()

  const flush = async () => {
    timer = undefined
    for (const [channel, payloads] of pending) {
      pending.delete(channel)
      for (const text of joinPayloads(payloads)) {
        await pool.query({
          name: 'notify',
          text: 'select pg_notify($1, $2)',
          values: [channel, text],
        })
      }
    }
  }
  const keepListening = async (onListening: () => void) => {
    for (let isFirst = true; !stopping.signal.aborted; isFirst = false) {
      try {
        await using session = await listenOn(database, channels, handlers)
        onListening()
        if (!isFirst) resumed()
        await lostOrStopped(session, stopping.signal)
      } catch (err) {
        if (!stopping.signal.aborted) log.warn({ err }, 'LISTEN connection failed')
      }
      await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  return {
    on: (channel, handle) => void handlers.set(channel, handle),
    async listen() {
      if (!database.directUrl) return
      listening ??= new Promise((onListening) => {
        ended = keepListening(onListening)
        stopping.signal.addEventListener('abort', () => onListening())
      })
      await listening
    },
    notify(channel, payloads) {
      const known = pending.get(channel) ?? new Set()
      pending.set(channel, known)
      for (const payload of payloads) known.add(payload)
      timer ??= setTimeout(() => {
        // A lost notification only delays receivers, which also poll.
        flushing = flushing.then(flush).catch(() => {})
      }, coalesceMs)
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer)
      stopping.abort()
      await flushing
      await ended
    },
  }
}

async function listenOn(
  database: Database,
  channels: string[],
  handlers: Map<string, (text: string) => void>,
): Promise<Session> {
  const session = await openSession(database, 'figbase listens')
  session.client.on('notification', ({ channel, payload = '' }) => handlers.get(channel)?.(payload))
  try {
    for (const channel of channels) await session.client.query(`listen ${channel}`)
    return session
  } catch (error) {
    await session[Symbol.asyncDispose]()
    throw error
  }
}

function lostOrStopped({ lost }: Session, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (lost.aborted || stop.aborted) resolve()
    lost.addEventListener('abort', () => resolve(), { once: true })
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Joins payloads up to the size limit of a notification. */
function joinPayloads(payloads: Set<string>): string[] {
  const lines: string[] = []
  for (const payload of payloads) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + payload.length < textCharsMax) {
      lines[lines.length - 1] = `${last} ${payload}`
    } else lines.push(payload)
  }
  return lines
}
