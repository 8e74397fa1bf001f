import { randomInt } from 'node:crypto'
import { namespace } from '../chart/helm.js'
import type { Manifest } from '../chart/manifests.js'
import { LocalNetwork, type Propagation } from './network.js'
import { LocalPod, type PodTemplate } from './pod.js'

/** As much as pods need of a cluster. Their addresses are in a part of 127.0.0.0/8 that was chosen at random. */
export class LocalCluster {
  /** ConfigMaps and Secrets. */
  objects: Manifest[] = []
  /** What went wrong; each problem names its container. */
  readonly problems: string[] = []
  readonly network: LocalNetwork
  readonly #pods = new Set<LocalPod>()
  readonly #subnet = `127.${randomInt(1, 255)}.${randomInt(0, 255)}`
  #podCount = 0

  constructor(
    readonly dir: string,
    propagation: Propagation,
  ) {
    this.network = new LocalNetwork(dir, namespace, propagation, () => [...this.#pods])
  }

  newPod(owner: string, template: PodTemplate): LocalPod {
    const number = ++this.#podCount
    const pod = new LocalPod(`${owner}-${number}`, `${this.#subnet}.${number}`, template, this)
    this.#pods.add(pod)
    return pod
  }

  /** Runs a pod whose containers end, and returns what they wrote. */
  async complete(owner: string, template: PodTemplate): Promise<string> {
    const pod = this.newPod(owner, template)
    const output = await pod.complete()
    this.#pods.delete(pod)
    return output
  }

  async delete(pod: LocalPod): Promise<void> {
    await pod.terminate()
    this.#pods.delete(pod)
  }

  /** Deletes all pods at once, as an uninstallation does. */
  async deleteAll(): Promise<void> {
    await Promise.all([...this.#pods].map((pod) => this.delete(pod)))
  }

  /** Ends a pod without grace, like a node that fails; its containers leave no problems. */
  discard(pod: LocalPod): void {
    pod.kill()
    this.#pods.delete(pod)
  }

  kill(): void {
    for (const pod of this.#pods) this.discard(pod)
  }
}
