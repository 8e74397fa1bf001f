import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from '../db/reach.js'
import { openSession, type Session } from '../db/session.js'
import { Idle } from '../idle.js'
import type { Logger } from '../log.js'

/** What to do for as long as the signal does not fire; what was begun is finished then. */
export type Task = (signal: AbortSignal) => Promise<void>

export type LeasesOptions = {
  database: Database
  /** By kind of work, the tasks of which each is done by one process at a time. */
  work: Map<string, Task[]>
  log: Logger
}

type Held = { stop: AbortController; ended: Promise<void> }
/** The tasks of one kind that this process does, by their number. */
type HeldOfKind = Map<number, Held>

const lookMs = 1000
/** While this process does all the work, nobody waits for it: it looks whether others have come. */
const aloneMsMax = 30_000
const lockKey = (text: string) => `hashtextextended('figbase events ' || ${text}, 0)`
const lockOf = (text: string) => ({ key: lockKey(pg.escapeLiteral(text)) })

/**
 * Shares work out among the processes that offer to do it: each holds its part by locks of its
 * database session, which end with the process however that ends; the others take over within a
 * second. One that comes later gets its part within half a minute. A process that lost its session without noticing may overlap with its successor.
 */
export function startLeases(options: LeasesOptions): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      try {
        while (await holdSession(options, signal)) {}
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

/** True: it held more than its part, gave all back, and may begin again. */
async function holdSession({ database, work }: LeasesOptions, stop: AbortSignal): Promise<boolean> {
  await using session = await openSession(database, 'figbase events')
  const signal = AbortSignal.any([stop, session.lost])
  const held = new Map([...work.keys()].map((kind) => [kind, new Map()] as [string, HeldOfKind]))
  try {
    for (const kind of work.keys()) {
      await session.take({ ...lockOf(kind), isShared: true })
    }
    const idle = new Idle(lookMs, aloneMsMax)
    while (!signal.aborted) {
      const peers = await countPeers(session, [...work.keys()])
      for (const [kind, tasks] of work) {
        const fair = Math.ceil(tasks.length / (peers.get(kind) ?? 1))
        const own: HeldOfKind = held.get(kind) ?? new Map()
        if (own.size > fair && !session.giveBack) return !signal.aborted
        await share(session, kind, tasks, own, fair)
      }
      const doesAll = [...work].every(([kind, tasks]) => held.get(kind)?.size === tasks.length)
      if (!doesAll) idle.reset()
      await sleep(idle.next(), undefined, { signal }).catch(() => {})
    }
    return false
  } finally {
    // The locks go with the session, after the work.
    await Promise.all([...held.values()].flatMap((some) => [...some.values()].map(end)))
  }
}

async function share(
  { lost, tryTake, giveBack }: Session,
  kind: string,
  tasks: Task[],
  held: HeldOfKind,
  fair: number,
) {
  for (const [number, one] of [...held].slice(fair)) {
    await end(one)
    held.delete(number)
    await giveBack?.(lockOf(`${kind}/${number}`))
  }
  for (const [number, task] of tasks.entries()) {
    if (held.size >= fair) return
    if (held.has(number)) continue
    if (!(await tryTake(lockOf(`${kind}/${number}`)))) continue
    const stop = new AbortController()
    held.set(number, { stop, ended: task(AbortSignal.any([stop.signal, lost])) })
  }
}

/** How many processes offer to do each kind of work. */
async function countPeers({ client }: Session, kinds: string[]): Promise<Map<string, number>> {
  const { rows } = await client.query<{ kind: string; peers: number }>(
    `select kind, count(*)::int as peers
       from unnest(array[${kinds.map(pg.escapeLiteral).join()}]) kind
       join pg_locks on ((classid::bigint << 32) | objid::bigint) = ${lockKey('kind')}
      where locktype = 'advisory' and mode = 'ShareLock' and granted and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
      group by kind`,
  )
  return new Map(rows.map(({ kind, peers }) => [kind, peers]))
}

async function end({ stop, ended }: Held) {
  stop.abort()
  await ended
}
