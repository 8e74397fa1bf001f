import { randomInt } from 'node:crypto'
import type { Manifest } from '../chart/manifests.js'
import { Network } from './network.js'
import { Pod, type PodTemplate } from './pod.js'

/** As much of a cluster as the pods of the chart need: one node, whose pods have addresses in a random part of 127.0.0.0/8. */
export class Cluster {
  /** ConfigMaps and Secrets. */
  objects: Manifest[] = []
  readonly network: Network
  readonly #subnet = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`
  readonly #pods: Pod[] = []

  constructor(
    /** The root file system of the image. */
    readonly root: string,
    readonly dir: string,
  ) {
    this.network = new Network(root, dir, `${this.#subnet}.254`)
  }

  newPod(owner: string, template: PodTemplate): Pod {
    const number = this.#pods.length + 1
    const pod = new Pod(`${owner}-${number}`, `${this.#subnet}.${number}`, template, this)
    this.#pods.push(pod)
    return pod
  }

  get problems(): string[] {
    return this.#pods.flatMap(({ problems }) => problems)
  }

  podsChanged(): void {
    this.network.podsChanged(this.#pods)
  }

  /** Deletes all pods at once, as an uninstallation does. */
  async deleteAll(): Promise<void> {
    const running = this.#pods.filter(({ isTerminating }) => !isTerminating)
    await Promise.all(running.map((pod) => pod.delete()))
  }

  async killAll(): Promise<void> {
    await Promise.all(this.#pods.map((pod) => pod.kill()))
    this.network[Symbol.dispose]()
  }
}
