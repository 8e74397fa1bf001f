import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@figbase/kit'
import pg from 'pg'

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

export const instanceLockClass = `hashtext('figbase revisions upload')`
const reconnectMs = 1000

export function createInstance(databaseUrl: string, log: Logger): Instance {
  const number = randomInt(2 ** 31)
  const active = new Set<string>()
  let client: pg.Client | undefined
  let stopped = false

  async function connect() {
    const next = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'figbase revisions instance',
      keepAlive: true,
    })
    next.on('error', (err) => {
      if (client !== next) return
      log.warn({ err }, 'the connection that holds the lock of this process was lost')
      client = undefined
      if (!stopped) void reconnect()
    })
    try {
      await next.connect()
      await next.query(`select pg_advisory_lock(${instanceLockClass}, $1)`, [number])
      client = next
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
  }

  async function reconnect() {
    while (!stopped && !client) {
      await sleep(reconnectMs, undefined, { ref: false })
      await connect().catch((err: unknown) => log.warn({ err }, 'no new connection yet'))
    }
    if (stopped) await client?.end()
  }

  return {
    number,
    active,
    async live() {
      await connect()
      return {
        async [Symbol.asyncDispose]() {
          stopped = true
          await client?.end()
        },
      }
    },
    async inPlaceOf(other, work) {
      const session = client
      if (!session) return
      const { rows } = await session.query<{ taken: boolean }>(
        `select pg_try_advisory_lock(${instanceLockClass}, $1) as taken`,
        [other],
      )
      if (!rows[0]?.taken) return
      try {
        await work()
      } finally {
        await session.query(`select pg_advisory_unlock(${instanceLockClass}, $1)`, [other])
      }
    },
  }
}
