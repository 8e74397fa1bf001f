import type { Manifest } from '../chart/manifests.js'
import type { Cluster } from './cluster.js'
import type { Pod } from './pod.js'

/** The pods of a Deployment. */
export class Deployment {
  #pods: Pod[] = []

  constructor(
    readonly name: string,
    readonly replicas: number,
    readonly cluster: Cluster,
  ) {}

  async create(manifest: Manifest): Promise<void> {
    this.#pods = Array.from({ length: this.replicas }, () => this.#newPod(manifest))
    await Promise.all(this.#pods.map((pod) => pod.start()))
  }

  /** Replaces all pods, with the strategy of the manifest. */
  async update(manifest: Manifest): Promise<void> {
    const { surge, unavailable } = strategyOf(manifest, this.replicas)
    const old = this.#pods
    const updated: Pod[] = []
    const deleting: Promise<void>[] = []
    this.#pods = updated
    while (old.length > 0) {
      const spare = old.length + updated.length - (this.replicas - unavailable)
      deleting.push(...old.splice(0, spare).map((pod) => pod.delete()))
      const most = Math.min(this.replicas, this.replicas + surge - old.length)
      const added = Array.from({ length: most - updated.length }, () => this.#newPod(manifest))
      updated.push(...added)
      await Promise.all(added.map((pod) => pod.start()))
    }
    await Promise.all(deleting)
  }

  #newPod(manifest: Manifest): Pod {
    return this.cluster.newPod(this.name, manifest.spec.template)
  }
}

function strategyOf({ metadata, spec }: Manifest, replicas: number) {
  const { type, rollingUpdate } = spec.strategy
  if (type !== 'RollingUpdate') throw new Error(`Deployment ${metadata.name}: ${type}`)
  const count = (given: number | string, round: (value: number) => number) =>
    typeof given === 'number' ? given : round((replicas * Number.parseFloat(given)) / 100)
  return {
    surge: count(rollingUpdate.maxSurge, Math.ceil),
    unavailable: count(rollingUpdate.maxUnavailable, Math.floor),
  }
}
