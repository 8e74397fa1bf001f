import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Logger, openSession, type Session } from '@figbase/kit'
import { instanceLockClass } from '../db/instance-lock.js'

/**
 * This process among those that stage uploads. It is alive as long as its session holds the
 * advisory lock of its number; whoever can take that lock may clean up after it.
 */
export type Instance = {
  number: number
  /** The uploads that this process is receiving now. */
  active: Set<string>
  /** Takes the lock, on a connection of its own. */
  live(): Promise<AsyncDisposable>
  /** Runs `work` if instance `number` is gone, and keeps others from doing so meanwhile. */
  inPlaceOf(number: number, work: () => Promise<void>): Promise<void>
}

const lockOf = (number: number) => ({ key: `${instanceLockClass}, ${number}` })
const sessionName = 'figbase revisions instance'
const reconnectMs = 1000

export function createInstance(database: Database, log: Logger): Instance {
  const number = randomInt(2 ** 31)
  const active = new Set<string>()
  let session: Session | undefined
  let stopped = false

  async function connect() {
    const next = await openSession(database, sessionName)
    try {
      await next.take(lockOf(number))
    } catch (error) {
      await next[Symbol.asyncDispose]()
      throw error
    }
    session = next
    next.lost.addEventListener('abort', lost)
    if (next.lost.aborted) lost()
  }

  const lost = () => {
    log.warn('the connection that holds the lock of this process was lost')
    session = undefined
    if (!stopped) void reconnect()
  }

  async function reconnect() {
    while (!stopped && !session) {
      await sleep(reconnectMs, undefined, { ref: false })
      await connect().catch((err: unknown) => log.warn({ err }, 'no new connection yet'))
    }
    if (stopped) await close()
  }

  async function close() {
    session?.lost.removeEventListener('abort', lost)
    await session?.[Symbol.asyncDispose]()
  }

  return {
    number,
    active,
    async live() {
      await connect()
      return {
        async [Symbol.asyncDispose]() {
          stopped = true
          await close()
        },
      }
    },
    async inPlaceOf(other, work) {
      if (!session) return
      await using own = await openSession(database, sessionName)
      if (await own.tryTake(lockOf(other))) await work()
    },
  }
}
