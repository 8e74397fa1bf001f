import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { namespace } from '../chart/helm.js'
import { type Manifest, ofKind } from '../chart/manifests.js'
import type { Address } from '../forward.js'
import { isSelected } from './objects.js'
import type { Pod } from './pod.js'

/** How long after a change clients still find the old pods: in the DNS of the cluster, and behind the address of a Service. */
const dnsMs = 5000
const serviceMs = 1000

const bytes = 8192

/**
 * The Services. A pod belongs to its Services while it is ready, and until it is deleted. `/etc/hosts` of the pods stands in
 * for the DNS of the cluster.
 */
export class Network {
  readonly hostsFile: string
  readonly #fd: number
  #isClosed = false
  #services: Manifest[] = []
  #targets = new Map<string, Address[]>()

  constructor(
    root: string,
    dir: string,
    /** The address of each Service that has one. */
    readonly serviceIp: string,
  ) {
    // A name in several lines has several addresses.
    writeFileSync(join(root, 'etc', 'host.conf'), 'multi on\n')
    this.hostsFile = join(dir, 'hosts')
    this.#fd = openSync(this.hostsFile, 'w')
    this.#writeHosts([])
  }

  apply(manifests: Manifest[]): void {
    this.#services = ofKind(manifests, 'Service')
  }

  /** The pods of a port of a Service, for clients of its address. */
  targetsOf(service: string, port: number): Address[] {
    return this.#targets.get(`${service}:${port}`) ?? []
  }

  podsChanged(pods: Pod[]): void {
    const ready = pods.filter(({ isReady, isTerminating }) => isReady && !isTerminating)
    const podsOf = ({ spec }: Manifest) =>
      ready.filter(({ labels }) => isSelected(spec.selector, labels))
    const addressesOf = (service: Manifest) =>
      service.spec.clusterIP === 'None' ? podsOf(service).map(({ ip }) => ip) : [this.serviceIp]
    const hosts = this.#services.flatMap((service) =>
      addressesOf(service).map((ip) => `${ip} ${namesOf(service).join(' ')}`),
    )
    const targets = this.#services.flatMap((service) =>
      service.spec.ports.map(({ port, targetPort }: { port: number; targetPort: string }) => [
        `${service.metadata.name}:${port}`,
        podsOf(service).map((pod) => ({ host: pod.ip, port: pod.portOf(targetPort) })),
      ]),
    )
    setTimeout(() => this.#writeHosts(hosts), dnsMs).unref()
    setTimeout(() => {
      this.#targets = new Map(targets)
    }, serviceMs).unref()
  }

  /** Waits until all clients find the present pods. */
  settled(): Promise<void> {
    return sleep(dnsMs + 100)
  }

  /** Overwrites the file, since it is mounted, with one write, since pods read it at any time. */
  #writeHosts(lines: string[]): void {
    const text = ['127.0.0.1 localhost', ...lines, ''].join('\n')
    if (text.length > bytes) throw new Error('too many pods')
    if (this.#isClosed) return
    writeSync(this.#fd, text.padEnd(bytes, '\n'), 0)
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    closeSync(this.#fd)
  }
}

const namesOf = ({ metadata: { name } }: Manifest) => [name, `${name}.${namespace}.svc`]
