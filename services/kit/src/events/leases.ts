import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from '../db/resolve-database.js'
import { openSession, type Session } from '../db/session.js'
import type { Logger } from '../log.js'
import { PollInterval } from '../timing/poll-interval.js'

/** A task that runs until its signal fires; it then finishes what it has begun. */
export type Task = (signal: AbortSignal) => Promise<void>

export type LeasesOptions = {
  database: Database
  /** The tasks by kind; each task runs in one process at a time. */
  work: Map<string, Task[]>
  log: Logger
}

type RunningTask = { stop: AbortController; ended: Promise<void> }
/** The tasks of one kind that this process runs, by number. */
type RunningTasks = Map<number, RunningTask>

const pollMs = 1000
/** While this process runs all tasks, it only polls for new processes. */
const pollMsMax = 60_000
const lockKey = (text: string) => `hashtextextended('figbase events ' || ${text}, 0)`
const lockOf = (text: string) => ({ key: lockKey(pg.escapeLiteral(text)) })

/**
 * Distributes tasks among processes. Each process holds its share by advisory locks of its database session, which
 * are released when the process ends for whatever reason; others take over within a second. A new process gets its
 * share within 60 s. A process that lost its session without noticing may overlap with its successor.
 */
export function startLeases(options: LeasesOptions): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      try {
        while (await runSession(options, signal)) {}
      } catch (err) {
        if (!signal.aborted) options.log.warn({ err }, 'distributing event tasks failed')
      }
      await sleep(pollMs, undefined, { signal }).catch(() => {})
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

/** Returns true if it held more than its share and released all locks to start over. */
async function runSession({ database, work }: LeasesOptions, stop: AbortSignal): Promise<boolean> {
  await using session = await openSession(database, 'figbase events')
  const signal = AbortSignal.any([stop, session.lost])
  const running = new Map(
    [...work.keys()].map((kind) => [kind, new Map()] as [string, RunningTasks]),
  )
  try {
    for (const kind of work.keys()) {
      await session.lock({ ...lockOf(kind), isShared: true })
    }
    const pollInterval = new PollInterval(pollMs, pollMsMax)
    while (!signal.aborted) {
      const peers = await countPeers(session, [...work.keys()])
      for (const [kind, tasks] of work) {
        const fairCount = Math.ceil(tasks.length / (peers.get(kind) ?? 1))
        const ownTasks: RunningTasks = running.get(kind) ?? new Map()
        if (ownTasks.size > fairCount && !session.unlock) return !signal.aborted
        await adjustShare(session, kind, tasks, ownTasks, fairCount)
      }
      const runsAll = [...work].every(([kind, tasks]) => running.get(kind)?.size === tasks.length)
      if (!runsAll) pollInterval.reset()
      await sleep(pollInterval.next(), undefined, { signal }).catch(() => {})
    }
    return false
  } finally {
    // The session, with its locks, is disposed after the tasks have ended.
    await Promise.all([...running.values()].flatMap((some) => [...some.values()].map(end)))
  }
}

async function adjustShare(
  { lost, tryLock, unlock }: Session,
  kind: string,
  tasks: Task[],
  running: RunningTasks,
  fairCount: number,
) {
  for (const [number, one] of [...running].slice(fairCount)) {
    await end(one)
    running.delete(number)
    await unlock?.(lockOf(`${kind}/${number}`))
  }
  for (const [number, task] of tasks.entries()) {
    if (running.size >= fairCount) return
    if (running.has(number)) continue
    if (!(await tryLock(lockOf(`${kind}/${number}`)))) continue
    const stop = new AbortController()
    running.set(number, { stop, ended: task(AbortSignal.any([stop.signal, lost])) })
  }
}

/** Number of processes that run each kind of task. */
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

async function end({ stop, ended }: RunningTask) {
  stop.abort()
  await ended
}
