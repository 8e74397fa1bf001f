import { setTimeout as sleep } from 'node:timers/promises'
import type { Manifest } from '../chart/manifests.js'
import type { LocalCluster } from './cluster.js'
import type { LocalPod } from './pod.js'

const pollMs = 500

/** A Deployment, which replaces its pods as its strategy demands. */
export class LocalDeployment {
  readonly name: string
  readonly replicas: number
  #pods: LocalPod[] = []
  readonly #cluster: LocalCluster

  constructor({ metadata }: Manifest, replicas: number, cluster: LocalCluster) {
    this.name = metadata.name
    this.replicas = replicas
    this.#cluster = cluster
  }

  async create(manifest: Manifest): Promise<void> {
    this.#pods = Array.from({ length: this.replicas }, () => this.#newPod(manifest))
    await Promise.all(this.#pods.map((pod) => pod.start()))
  }

  /** Replaces all pods, and returns the largest number of pods at a time that were not terminating. */
  async update(manifest: Manifest): Promise<number> {
    const { surge, unavailable } = strategyOf(manifest, this.replicas)
    const old = [...this.#pods]
    const fresh: LocalPod[] = []
    const starting = new Map<LocalPod, Promise<void>>()
    const terminating: Promise<void>[] = []
    let most = old.length
    this.#pods = fresh
    while (old.length > 0 || starting.size > 0) {
      while (fresh.length < this.replicas && old.length + fresh.length < this.replicas + surge) {
        const pod = this.#newPod(manifest)
        fresh.push(pod)
        starting.set(
          pod,
          pod.start().then(() => void starting.delete(pod)),
        )
      }
      most = Math.max(most, old.length + fresh.length)
      const available = [...old, ...fresh].filter(({ isReady }) => isReady).length
      if (old.length > 0 && available > this.replicas - unavailable) {
        const pod = old.shift()
        if (pod) terminating.push(this.#cluster.delete(pod))
      } else await Promise.race([...starting.values(), sleep(pollMs)])
    }
    await Promise.all(terminating)
    return most
  }

  #newPod(manifest: Manifest): LocalPod {
    return this.#cluster.newPod(this.name, manifest.spec.template)
  }
}

function strategyOf({ metadata, spec }: Manifest, replicas: number) {
  const { type, rollingUpdate = {} } = spec.strategy ?? {}
  if (type !== 'RollingUpdate') throw new Error(`Deployment ${metadata.name}: ${type}`)
  const count = (given: number | string, round: (value: number) => number) =>
    typeof given === 'number' ? given : round((replicas * Number.parseFloat(given)) / 100)
  return {
    surge: count(rollingUpdate.maxSurge ?? '25%', Math.ceil),
    unavailable: count(rollingUpdate.maxUnavailable ?? '25%', Math.floor),
  }
}
