import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Lifecycle } from '@figbase/kit/service'
import { getHelm } from '../chart/helm.js'
import { componentOf, idOf, type Manifest, ofKind, render } from '../chart/manifests.js'
import { issueCertificates } from './certificates.js'
import { LocalCluster } from './cluster.js'
import { LocalDeployment } from './deployment.js'
import { Door, type Propagation } from './network.js'
import { type OutsideServers, startOutsideServers } from './outside.js'
import type { LocalPod } from './pod.js'

export type InstallOptions = {
  /** Settings besides those of the production set. */
  settings: Record<string, string>
  propagation?: Propagation
}

/** The production set of the chart, with local processes for its containers. */
export class Installation implements AsyncDisposable {
  manifests: Manifest[] = []
  readonly deployments: LocalDeployment[] = []
  readonly #lifecycle: Lifecycle
  readonly #door: Door
  readonly #servers: OutsideServers
  readonly #certificates = new Map<string, Manifest>()

  private constructor(
    /** Contains the mails. */
    readonly dataDir: string,
    readonly cluster: LocalCluster,
    parts: { lifecycle: Lifecycle; door: Door; servers: OutsideServers },
  ) {
    this.#lifecycle = parts.lifecycle
    this.#door = parts.door
    this.#servers = parts.servers
  }

  /** The outside servers run, and the manifests are rendered; nothing of them is started. */
  static async prepare(options: InstallOptions): Promise<Installation> {
    const { settings, propagation = { serviceMs: 1000, dnsMs: 5000 } } = options
    const lifecycle = new Lifecycle()
    try {
      const dir = await mkdtemp(join(tmpdir(), 'figbase-kubernetes-'))
      lifecycle.onStop(() => rm(dir, { recursive: true, force: true }))
      const dataDir = join(dir, 'outside')
      await mkdir(dataDir)
      const servers = await startOutsideServers(dataDir)
      lifecycle.onStop(() => servers[Symbol.asyncDispose]())
      const door = await Door.open()
      lifecycle.onStop(() => door[Symbol.asyncDispose]())
      const cluster = new LocalCluster(dir, propagation)
      lifecycle.onStop(() => cluster.kill())
      const made = new Installation(dataDir, cluster, { lifecycle, door, servers })
      await made.render(settings)
      return made
    } catch (error) {
      await lifecycle[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Where the route of the public address leads. */
  get url(): string {
    return this.#door.balancer.url
  }

  /** The settings of the outside servers. */
  get settings(): Record<string, string> {
    return this.#servers.settings
  }

  /** Renders the chart, and adopts its ConfigMaps, Secrets and Services. */
  async render(settings: Record<string, string>): Promise<void> {
    const all = { ...this.#servers.settings, ...settings }
    const set = [
      `publicUrl=${JSON.stringify(this.url)}`,
      ...Object.entries(all).map(([name, value]) => `settings.${name}=${JSON.stringify(value)}`),
    ]
    this.manifests = await render(await getHelm(), 'production', { set })
    // Certificates are issued once.
    if (this.#certificates.size === 0) {
      for (const secret of await issueCertificates(this.manifests)) {
        this.#certificates.set(idOf(secret), secret)
      }
    }
    this.cluster.objects = [
      ...ofKind(this.manifests, 'ConfigMap', 'Secret'),
      ...this.#servers.secrets,
      ...this.#certificates.values(),
    ]
    const { name, port } = this.#routed()
    this.cluster.network.apply(this.manifests, new Map([[`${name}:${port}`, this.#door]]))
  }

  /** The Service that the route of the public address names. */
  #routed(): { name: string; port: number } {
    const { hostname } = new URL(this.url)
    const routes = ofKind(this.manifests, 'HTTPRoute').filter(({ spec }) =>
      spec.hostnames.includes(hostname),
    )
    const [backend, ...others] = routes.flatMap(({ spec }) =>
      spec.rules.flatMap((rule: { backendRefs: unknown[] }) => rule.backendRefs),
    )
    if (!backend || others.length > 0) throw new Error(`not one route for ${hostname}`)
    return backend
  }

  /** Runs the hooks before an installation, then starts all Deployments; returns how many containers. */
  async install(replicasOf = replicasIn): Promise<number> {
    await this.runJobs('pre-install')
    const starts = ofKind(this.manifests, 'Deployment').map((manifest) => {
      const process = componentOf(manifest.metadata.labels)
      const replicas = replicasOf(this.manifests, process)
      const deployment = new LocalDeployment(manifest, replicas, this.cluster)
      this.deployments.push(deployment)
      return deployment.create(manifest)
    })
    await Promise.all(starts)
    await this.cluster.network.settled()
    return this.deployments.reduce((sum, { replicas }) => sum + replicas, 0)
  }

  /** Runs the hooks before an upgrade, then replaces all pods, of `concurrency` Deployments at a time. */
  async upgrade(settings: Record<string, string>, concurrency: number): Promise<string[]> {
    await this.render(settings)
    await this.runJobs('pre-upgrade')
    const waiting = [...this.deployments]
    const updated: string[] = []
    const work = async () => {
      for (let one = waiting.shift(); one; one = waiting.shift()) {
        const most = await one.update(this.manifest('Deployment', one.name))
        updated.push(`${one.name}: at most ${most} pods`)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
    return updated
  }

  /** The Jobs that are hooks. */
  async runJobs(hook: string): Promise<void> {
    for (const { metadata, spec } of ofKind(this.manifests, 'Job')) {
      const hooks = metadata.annotations?.['helm.sh/hook']?.split(',') ?? []
      if (hooks.includes(hook)) await this.cluster.complete(metadata.name, spec.template)
    }
  }

  manifest(kind: string, name: string): Manifest {
    const found = this.manifests.find((one) => one.kind === kind && one.metadata.name === name)
    if (!found) throw new Error(`no ${kind} ${name}`)
    return found
  }

  /** A pod of a Deployment that differs from the manifest. */
  newPod(name: string, change: (template: Manifest['spec']) => void): LocalPod {
    const { template } = structuredClone(this.manifest('Deployment', name).spec)
    change(template)
    return this.cluster.newPod(name, template)
  }

  [Symbol.asyncDispose]() {
    return this.#lifecycle[Symbol.asyncDispose]()
  }
}

/** Those of a Deployment, or the fewest that its autoscaler permits. */
export function replicasIn(manifests: Manifest[], process: string): number {
  const own = manifests.filter(({ metadata }) => componentOf(metadata.labels) === process)
  const [deployment] = ofKind(own, 'Deployment')
  const [autoscaler] = ofKind(own, 'HorizontalPodAutoscaler')
  return deployment?.spec.replicas ?? autoscaler?.spec.minReplicas ?? 1
}
