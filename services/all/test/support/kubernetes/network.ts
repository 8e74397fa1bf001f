import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Manifest, ofKind } from '../chart/manifests.js'
import { type Balancer, startForwarder, type Target } from '../replicated/balancer.js'
import { matches } from './objects.js'
import type { LocalPod } from './pod.js'
import type { KnownServices } from './pod-network.js'

/** How long after a change of its pods a Service has the new ones: with an address of its own, and in the DNS. */
export type Propagation = { serviceMs: number; dnsMs: number }

type ServicePort = { name: string; port: number; targetPort: string | number }

/** A port of a Service, open before the Service exists, so that its address can be known. */
export class Door implements AsyncDisposable {
  targets: Target[] = []
  #turn = 0

  private constructor(readonly balancer: Balancer) {}

  static async open(): Promise<Door> {
    let door: Door | undefined
    const balancer = await startForwarder(() => (door ? door.#next() : []))
    door = new Door(balancer)
    return door
  }

  /** Like kube-proxy: one pod, and no other if that refuses the connection. */
  #next(): Target[] {
    const target = this.targets[this.#turn++ % Math.max(1, this.targets.length)]
    return target ? [target] : []
  }

  [Symbol.asyncDispose]() {
    return this.balancer[Symbol.asyncDispose]()
  }
}

/**
 * The Services, as far as pods and clients notice them: names in a file that stands in for the DNS of the cluster, and a
 * door for each port of a Service with an address of its own. A pod is in its Services while it is ready, and leaves
 * them when it is deleted; both with a delay.
 */
export class LocalNetwork {
  readonly file: string
  readonly #namespace: string
  readonly #propagation: Propagation
  readonly #pods: () => LocalPod[]
  #services: Manifest[] = []
  #doors = new Map<string, Door>()
  #forwarded: KnownServices['forwarded'] = {}

  constructor(dir: string, namespace: string, propagation: Propagation, pods: () => LocalPod[]) {
    this.file = join(dir, 'services.json')
    this.#namespace = namespace
    this.#propagation = propagation
    this.#pods = pods
  }

  /** Adopts the Services among the manifests. `doors` are by `name:port`, for those that are not headless. */
  apply(manifests: Manifest[], doors: Map<string, Door>): void {
    this.#services = ofKind(manifests, 'Service')
    this.#doors = doors
    this.#forwarded = {}
    for (const service of this.#services.filter((one) => !isHeadless(one))) {
      for (const { port } of portsOf(service)) {
        const door = doors.get(`${service.metadata.name}:${port}`)
        if (!door) throw new Error(`Service ${service.metadata.name} has no door for ${port}`)
        const { hostname, port: own } = new URL(door.balancer.url)
        for (const name of this.#namesOf(service)) {
          this.#forwarded[`${name}:${port}`] = { host: hostname, port: Number(own) }
        }
      }
    }
    this.#writeNames(this.#findNames())
  }

  podsChanged(): void {
    const { serviceMs, dnsMs } = this.#propagation
    const names = this.#findNames()
    setTimeout(() => this.#writeNames(names), dnsMs).unref()
    const targets = this.#services
      .filter((service) => !isHeadless(service))
      .flatMap((service) => this.#targetsOf(service))
    setTimeout(() => {
      for (const { door, to } of targets) door.targets = to
    }, serviceMs).unref()
  }

  /** Waits until the last change has reached all clients. */
  async settled(): Promise<void> {
    const { serviceMs, dnsMs } = this.#propagation
    await sleep(Math.max(serviceMs, dnsMs) + 100)
  }

  #targetsOf(service: Manifest): { door: Door; to: Target[] }[] {
    const pods = this.#endpointsOf(service)
    return portsOf(service).flatMap(({ port, targetPort }) => {
      const door = this.#doors.get(`${service.metadata.name}:${port}`)
      const to = pods.map((pod) => ({ host: pod.ip, port: pod.portOf(targetPort) }))
      return door ? [{ door, to }] : []
    })
  }

  #endpointsOf({ spec }: Manifest): LocalPod[] {
    return this.#pods().filter(
      (pod) => pod.isReady && !pod.isTerminating && matches(spec.selector, pod.labels),
    )
  }

  #findNames(): KnownServices['names'] {
    return Object.fromEntries(
      this.#services.flatMap((service) => {
        const addresses = isHeadless(service)
          ? this.#endpointsOf(service).map(({ ip }) => ip)
          : ['127.0.0.1']
        return this.#namesOf(service).map((name): [string, string[]] => [name, addresses])
      }),
    )
  }

  #namesOf({ metadata: { name } }: Manifest): string[] {
    const inNamespace = `${name}.${this.#namespace}`
    return [name, inNamespace, `${inNamespace}.svc`, `${inNamespace}.svc.cluster.local`]
  }

  // A rename: pods read it at any time.
  #writeNames(names: KnownServices['names']): void {
    const known: KnownServices = { names, forwarded: this.#forwarded }
    writeFileSync(`${this.file}.new`, JSON.stringify(known))
    renameSync(`${this.file}.new`, this.file)
  }
}

const isHeadless = ({ spec }: Manifest) => spec.clusterIP === 'None'

const portsOf = ({ spec }: Manifest): ServicePort[] => spec.ports
