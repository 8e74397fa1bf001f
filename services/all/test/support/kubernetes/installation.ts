import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Lifecycle } from '@figbase/kit/service'
import { getHelm } from '../chart/helm.js'
import { type Manifest, ofKind, podsIn, render } from '../chart/manifests.js'
import { type Address, forward } from '../forward.js'
import { assembleImage } from '../image/image.js'
import { isRoot } from '../launched.js'
import { issueCertificates } from './certificates.js'
import { Cluster } from './cluster.js'
import { Deployment } from './deployment.js'
import { startOutsideServers } from './outside.js'

export type Settings = Record<string, string>

/** The production set of the chart, installed in a cluster of local processes. */
export class Installation implements AsyncDisposable {
  manifests: Manifest[] = []
  #deployments: Deployment[] = []
  #certificates: Manifest[] = []

  private constructor(
    readonly cluster: Cluster,
    /** Where the route of the public address leads. */
    readonly url: string,
    /** Contains the mails. */
    readonly dataDir: string,
    readonly servers: { settings: Settings; secrets: Manifest[] },
    /** `name=value`, as of `--set-json`. */
    readonly values: string[],
    readonly lifecycle: Lifecycle,
  ) {}

  /** Starts the servers of the operator, and renders the chart with further values; starts no pods. */
  static async prepare(settings: Settings, values: string[] = []): Promise<Installation> {
    const lifecycle = new Lifecycle()
    const disposed = <T extends AsyncDisposable>(started: T): T => {
      lifecycle.onStop(() => started[Symbol.asyncDispose]())
      return started
    }
    try {
      const dir = await mkdtemp(join(tmpdir(), 'figbase-kubernetes-'))
      lifecycle.onStop(() => rm(dir, { recursive: true, force: true }))
      const dataDir = join(dir, 'outside')
      await mkdir(dataDir)
      const image = assembleImage().then(disposed)
      const starting = startOutsideServers(dataDir).then(disposed)
      // A failure of one waits for the other, to dispose of it.
      await Promise.allSettled([image, starting])
      const { root } = await image
      const servers = await starting
      const cluster = new Cluster(root, dir)
      lifecycle.onStop(() => cluster.killAll())
      let turn = 0
      const oneGateway = () => {
        const all = installation.#gateways()
        return all.slice(turn++ % all.length).slice(0, 1)
      }
      const { url } = disposed(await forward({ host: '127.0.0.1', port: 0 }, oneGateway))
      if (isRoot) disposed(await forward({ host: cluster.network.serviceIp, port: 80 }, oneGateway))
      const installation = new Installation(cluster, url, dataDir, servers, values, lifecycle)
      await installation.render(settings)
      return installation
    } catch (error) {
      await lifecycle[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Where the only route leads. */
  #gateways(): Address[] {
    const [route, ...others] = ofKind(this.manifests, 'HTTPRoute').flatMap(({ spec }) =>
      spec.rules.flatMap(({ backendRefs }: Manifest) => backendRefs),
    )
    if (!route || others.length > 0) throw new Error('there is not one route')
    return this.cluster.network.targetsOf(route.name, route.port)
  }

  async render(settings: Settings): Promise<void> {
    const all = Object.entries({ ...this.servers.settings, ...settings })
    const set = [
      ...this.values,
      `publicUrl=${JSON.stringify(this.url)}`,
      ...all.map(([name, value]) => `settings.${name}=${JSON.stringify(value)}`),
    ]
    this.manifests = await render(await getHelm(), 'production', { set })
    if (this.#certificates.length === 0) {
      this.#certificates = await issueCertificates(this.manifests)
    }
    this.cluster.objects = [
      ...ofKind(this.manifests, 'ConfigMap', 'Secret'),
      ...this.servers.secrets,
      ...this.#certificates,
    ]
    this.cluster.network.apply(this.manifests)
  }

  /**
   * Migrates the database, then starts all Deployments with this number of replicas, by default with their own. Returns the
   * number of pods.
   */
  async install(replicas?: number): Promise<number> {
    await this.run('figbase-migrate')
    this.#deployments = ofKind(this.manifests, 'Deployment').map(({ metadata }) => {
      const count = replicas ?? replicasOf(metadata.name, this.manifests)
      return new Deployment(metadata.name, count, this.cluster)
    })
    await Promise.all(this.#deployments.map((one) => one.create(this.deployment(one.name))))
    await this.cluster.network.settled()
    return this.#deployments.reduce((sum, { replicas }) => sum + replicas, 0)
  }

  /** Migrates the database, then replaces the pods of these Deployments, by default of all, at once. */
  async upgrade(settings: Settings, names = this.#deployments.map(({ name }) => name)) {
    await this.render(settings)
    await this.run('figbase-migrate')
    const chosen = this.#deployments.filter(({ name }) => names.includes(name))
    await Promise.all(chosen.map((one) => one.update(this.deployment(one.name))))
  }

  /** Runs the pod of a Job, a CronJob or a test, and returns its output. */
  async run(name: string): Promise<string> {
    const pod = podsIn(this.manifests).find(({ owner }) => owner.metadata.name === name)
    if (!pod) throw new Error(`nothing with a pod is named ${name}`)
    return this.cluster.newPod(name, pod).complete()
  }

  deployment(name: string): Manifest {
    const found = ofKind(this.manifests, 'Deployment').find((one) => one.metadata.name === name)
    if (!found) throw new Error(`there is no Deployment ${name}`)
    return found
  }

  [Symbol.asyncDispose]() {
    return this.lifecycle[Symbol.asyncDispose]()
  }
}

/** Those of a Deployment, or the fewest that its autoscaler permits. */
function replicasOf(name: string, manifests: Manifest[]): number {
  const named = manifests.filter(({ metadata }) => metadata.name === name)
  const [deployment] = ofKind(named, 'Deployment')
  const [autoscaler] = ofKind(named, 'HorizontalPodAutoscaler')
  return deployment?.spec.replicas ?? autoscaler?.spec.minReplicas
}
