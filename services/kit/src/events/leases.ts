import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../log.js'
import { openSession, type Session } from './session.js'

/** What to do for as long as the signal does not fire; what was begun is finished then. */
export type Task = (signal: AbortSignal) => Promise<void>

export type LeasesOptions = {
  pool: pg.Pool
  /** By kind of work, the tasks of which each is done by one process at a time. */
  work: Map<string, Task[]>
  log: Logger
}

type Held = { stop: AbortController; ended: Promise<void> }
/** The tasks of one kind that this process does, by their number. */
type HeldOfKind = Map<number, Held>

const lookMs = 1000
const lockKey = (text: string) => `hashtextextended('figbase events ' || ${text}, 0)`

/**
 * Shares work out among the processes that offer to do it: each holds its part by locks of its
 * database session, which end with the process however that ends; the others take over within a
 * second. A process that lost its session without noticing may overlap with its successor.
 */
export function startLeases(options: LeasesOptions): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      try {
        await holdSession(options, signal)
      } catch (err) {
        if (!signal.aborted) options.log.warn({ err }, 'sharing out the work on events failed')
      }
      await sleep(lookMs, undefined, { signal }).catch(() => {})
    }
  }
  const ended = run()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await ended
    },
  }
}

async function holdSession({ pool, work }: LeasesOptions, stop: AbortSignal) {
  await using session = await openSession(pool)
  const signal = AbortSignal.any([stop, session.lost])
  const held = new Map([...work.keys()].map((kind) => [kind, new Map()] as [string, HeldOfKind]))
  try {
    for (const kind of work.keys()) {
      await session.client.query(`select pg_advisory_lock_shared(${lockKey('$1')})`, [kind])
    }
    while (!signal.aborted) {
      const peers = await countPeers(session, [...work.keys()])
      for (const [kind, tasks] of work) {
        const fair = Math.ceil(tasks.length / (peers.get(kind) ?? 1))
        await share(session, kind, tasks, held.get(kind) ?? new Map(), fair)
      }
      await sleep(lookMs, undefined, { signal }).catch(() => {})
    }
  } finally {
    // The locks go with the session, after the work.
    await Promise.all([...held.values()].flatMap((some) => [...some.values()].map(end)))
  }
}

async function share(
  { client, lost }: Session,
  kind: string,
  tasks: Task[],
  held: HeldOfKind,
  fair: number,
) {
  for (const [number, one] of [...held].slice(fair)) {
    await end(one)
    held.delete(number)
    await client.query(`select pg_advisory_unlock(${lockKey('$1')})`, [`${kind}/${number}`])
  }
  for (const [number, task] of tasks.entries()) {
    if (held.size >= fair) return
    if (held.has(number)) continue
    const { rows } = await client.query<{ is_ours: boolean }>(
      `select pg_try_advisory_lock(${lockKey('$1')}) as is_ours`,
      [`${kind}/${number}`],
    )
    if (!rows[0]?.is_ours) continue
    const stop = new AbortController()
    held.set(number, { stop, ended: task(AbortSignal.any([stop.signal, lost])) })
  }
}

/** How many processes offer to do each kind of work. */
async function countPeers({ client }: Session, kinds: string[]): Promise<Map<string, number>> {
  const { rows } = await client.query<{ kind: string; peers: number }>(
    `select kind, count(*)::int as peers
       from unnest($1::text[]) kind
       join pg_locks on ((classid::bigint << 32) | objid::bigint) = ${lockKey('kind')}
      where locktype = 'advisory' and mode = 'ShareLock' and granted and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
      group by kind`,
    [kinds],
  )
  return new Map(rows.map(({ kind, peers }) => [kind, peers]))
}

async function end({ stop, ended }: Held) {
  stop.abort()
  await ended
}
