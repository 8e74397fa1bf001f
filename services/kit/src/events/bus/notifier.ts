import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from '../../db/reach.js'
import { openSession, type Session } from '../../db/session.js'
import type { Logger } from '../../log.js'

/**
 * NOTIFY and LISTEN of one process. What is said while a connection is lost is not heard; nothing is where
 * there is only a pooler, which keeps no session that could listen. `createNotifier` calls `resumed` when a
 * connection that was lost is there again.
 */
export type Notifier = AsyncDisposable & {
  on(channel: string, hear: (text: string) => void): void
  /** Hears from now on, and again after a lost connection. */
  listen(): Promise<void>
  /** Says the words soon, each once; never inside a transaction, where it would hold up commits. */
  notify(channel: string, words: string[]): void
}

// Together, what is said within this time: each NOTIFY waits for those before it.
const quietMs = 2
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
  const hearers = new Map<string, (text: string) => void>()
  const waiting = new Map<string, Set<string>>()
  let listening: Promise<void> | undefined
  let ended: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let saying = Promise.resolve()

  const say = async () => {
    timer = undefined
    for (const [channel, words] of waiting) {
      waiting.delete(channel)
      for (const text of linesOf(words)) {
        await pool.query({
          name: 'notify',
          text: 'select pg_notify($1, $2)',
          values: [channel, text],
        })
      }
    }
  }
  const keepListening = async (begun: () => void) => {
    for (let isFirst = true; !stopping.signal.aborted; isFirst = false) {
      try {
        await using session = await listenOn(database, channels, hearers)
        begun()
        if (!isFirst) resumed()
        await lostOr(session, stopping.signal)
      } catch (err) {
        if (!stopping.signal.aborted) log.warn({ err }, 'listening to the database failed')
      }
      await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  return {
    on: (channel, hear) => void hearers.set(channel, hear),
    async listen() {
      if (!database.directUrl) return
      listening ??= new Promise((begun) => {
        ended = keepListening(begun)
        stopping.signal.addEventListener('abort', () => begun())
      })
      await listening
    },
    notify(channel, words) {
      const known = waiting.get(channel) ?? new Set()
      waiting.set(channel, known)
      for (const word of words) known.add(word)
      timer ??= setTimeout(() => {
        // Whoever waits for it also polls.
        saying = saying.then(say).catch(() => {})
      }, quietMs)
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer)
      stopping.abort()
      await saying
      await ended
    },
  }
}

async function listenOn(
  database: Database,
  channels: string[],
  hearers: Map<string, (text: string) => void>,
): Promise<Session> {
  const session = await openSession(database, 'figbase listens')
  session.client.on('notification', ({ channel, payload = '' }) => hearers.get(channel)?.(payload))
  try {
    for (const channel of channels) await session.client.query(`listen ${channel}`)
    return session
  } catch (error) {
    await session[Symbol.asyncDispose]()
    throw error
  }
}

function lostOr({ lost }: Session, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (lost.aborted || stop.aborted) resolve()
    lost.addEventListener('abort', () => resolve(), { once: true })
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The words, as many to a text as it may hold. */
function linesOf(words: Set<string>): string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < textCharsMax) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines
}
