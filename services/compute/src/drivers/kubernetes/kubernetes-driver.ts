import { setTimeout as sleep } from 'node:timers/promises'
import type { Driver } from '../port.js'
import { toDriverFailed } from './api-error.js'
import { type Cluster, openCluster } from './cluster.js'
import { openCredentials } from './credentials.js'
import { findProblem } from './find-problem.js'
import { lookAfter } from './look-after.js'
import { measurePod } from './measure.js'
import { observeAll } from './observe.js'
import { createPodWatch } from './pod-watch.js'
import { removeInstance } from './remove-instance.js'
import type { KubernetesSettings } from './settings.js'
import { startRun } from './start-run.js'
import { stopRun } from './stop-run.js'

/** How long it is remembered that notebooks can be launched, or why not. */
const goodMs = 60_000
const badMs = 5000
const coalesceMs = 200

/** Runs notebook servers as pods. What it knows is in the cluster, so any process with its credentials may use it. */
export function createKubernetesDriver(settings: KubernetesSettings): Driver {
  let opened: Promise<Cluster> | undefined
  let known: { problem: Promise<string | undefined>; until: number } | undefined

  async function open(): Promise<Cluster> {
    const credentials = await openCredentials(settings.kubeconfig)
    return openCluster(credentials, settings.namespace || credentials.namespace || 'default')
  }

  /** Only success is remembered: an operator may add what is missing. */
  function cluster(): Promise<Cluster> {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }

  async function calling<T>(signal: AbortSignal, work: (cluster: Cluster) => Promise<T>) {
    signal.throwIfAborted()
    try {
      return await work(await cluster())
    } catch (error) {
      throw toDriverFailed(error)
    }
  }

  const watch = createPodWatch(cluster)
  let seenCount = 0

  return {
    name: 'kubernetes',

    unavailableReason() {
      if (known && performance.now() < known.until) return known.problem
      const problem = findProblem(cluster, settings)
      const fresh = { problem, until: Number.POSITIVE_INFINITY }
      known = fresh
      const keepFor = (ms: number) => {
        fresh.until = performance.now() + ms
      }
      problem.then(
        (found) => keepFor(found ? badMs : goodMs),
        () => keepFor(0),
      )
      return problem
    },

    start: (spec, signal) => calling(signal, (at) => startRun(at, settings, spec, signal)),

    stop: (run, signal) => calling(signal, (at) => stopRun(at, run, signal)),

    remove: (instanceId, signal) => calling(signal, (at) => removeInstance(at, instanceId, signal)),

    observe: (signal) =>
      calling(signal, async (at) => {
        seenCount = watch.count
        const { observations, pods, at: now } = await observeAll(at, signal)
        await lookAfter(at, pods, settings.startTimeoutMs, now, signal)
        return observations
      }),

    measure: (instanceId, signal) => calling(signal, (at) => measurePod(at, instanceId, signal)),

    async changed(timeoutMs, signal) {
      // What happens at once is seen at once.
      await sleep(Math.min(coalesceMs, timeoutMs), undefined, { signal })
      await watch.changed(seenCount, timeoutMs - coalesceMs, signal)
      signal.throwIfAborted()
    },
  }
}
