import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.js'

/** Tells that pods may have changed. What has changed must be read: a watch can be late, and miss events. */
export type PodWatch = {
  /** Counts what happened so far. */
  readonly count: number
  /** Resolves when more has happened than `count`, or after `timeoutMs` at the latest. */
  changed(count: number, timeoutMs: number, signal: AbortSignal): Promise<void>
}

type Event = {
  type?: string
  object?: { code?: number; metadata?: { resourceVersion?: string } }
}

const streamMs = 5 * 60_000
/** Without anybody who waits, it ends; the next one who waits starts it again. */
const idleMs = 60_000
const backoffMsMin = 200
const backoffMsMax = 30_000

/** `cluster` may reject, as when there are no credentials. Nothing of it keeps the process running. */
export function createPodWatch(cluster: () => Promise<Cluster>): PodWatch {
  let count = 0
  let running: AbortController | undefined
  let idle: NodeJS.Timeout | undefined
  const waiting = new Set<() => void>()

  function happened() {
    count++
    for (const wake of waiting) wake()
  }

  function keepRunning() {
    clearTimeout(idle)
    idle = setTimeout(() => {
      running?.abort()
      running = undefined
    }, idleMs).unref()
    if (running) return
    running = new AbortController()
    watch(cluster, happened, running.signal)
  }

  return {
    get count() {
      return count
    },
    async changed(since, timeoutMs, signal) {
      keepRunning()
      if (count > since || signal.aborted) return
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', wake)
          waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, timeoutMs)
        signal.addEventListener('abort', wake)
        waiting.add(wake)
      })
    },
  }
}

/** Goes on until it is aborted: after the end of a stream where that ended, after a gap from now on. */
async function watch(cluster: () => Promise<Cluster>, happened: () => void, signal: AbortSignal) {
  let version = ''
  let backoffMs = backoffMsMin
  const isLong = (since: number) => performance.now() - since > backoffMsMax
  while (!signal.aborted) {
    const since = performance.now()
    try {
      const at = await cluster()
      if (!version) {
        version = await at.versionOfPods(signal)
        // What happened before is not told.
        happened()
      }
      for await (const line of at.watchPods(version, signal, streamMs)) {
        const { type, object } = JSON.parse(line) as Event
        if (type === 'ERROR') throw new Error(`the watch ended with ${object?.code}`)
        version = object?.metadata?.resourceVersion ?? version
        if (type !== 'BOOKMARK') happened()
      }
    } catch {
      // Also 410, when the version is too old: what happened since is unknown.
      version = ''
    }
    if (isLong(since)) backoffMs = backoffMsMin
    await sleep(backoffMs, undefined, { signal, ref: false }).catch(() => {})
    backoffMs = Math.min(backoffMsMax, 2 * backoffMs)
  }
}
