import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openSession, type Session } from '@figbase/kit/db'
import type { Logger } from '@figbase/kit/log'
import { processLockClass } from '../db/process-lock.js'

/**
 * This process as a stager of uploads. It is alive while its session has the advisory lock of its number. A
 * process that can take the lock of another one may clean up after it.
 */
export type StagingProcess = {
  number: number
  /** The uploads that this process is receiving. */
  active: Set<string>
  /** Takes the lock on a connection of its own. */
  lock(): Promise<AsyncDisposable>
  /** Runs `work` under the lock of process `number` if that process is gone. */
  ifGone(number: number, work: () => Promise<void>): Promise<void>
}

const lockOf = (number: number) => ({ key: `${processLockClass}, ${number}` })
const sessionName = 'figbase revisions instance'
const reconnectMs = 1000

export function createStagingProcess(database: Database, log: Logger): StagingProcess {
  const number = randomInt(2 ** 31)
  const active = new Set<string>()
  let session: Session | undefined
  let stopped = false

  async function connect() {
    const next = await openSession(database, sessionName)
    try {
      await next.lock(lockOf(number))
    } catch (error) {
      await next[Symbol.asyncDispose]()
      throw error
    }
    session = next
    next.lost.addEventListener('abort', lost)
    if (next.lost.aborted) lost()
  }

  const lost = () => {
    log.warn('lost the connection that holds the process lock')
    session = undefined
    if (!stopped) void reconnect()
  }

  async function reconnect() {
    while (!stopped && !session) {
      await sleep(reconnectMs, undefined, { ref: false })
      await connect().catch((err: unknown) =>
        log.warn({ err }, 'reconnecting to take the process lock failed'),
      )
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
    async lock() {
      await connect()
      return {
        async [Symbol.asyncDispose]() {
          stopped = true
          await close()
        },
      }
    },
    async ifGone(other, work) {
      if (!session) return
      await using own = await openSession(database, sessionName)
      if (await own.tryLock(lockOf(other))) await work()
    },
  }
}
