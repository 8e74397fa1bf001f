import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Container, Labels, PodSpec } from '../chart/manifests.js'
import { Container as Running } from '../image/container.js'
import { readDockerfile } from '../image/dockerfile.js'
import type { Cluster } from './cluster.js'
import { environmentOf } from './environment.js'
import { dataOf } from './objects.js'
import { type Probe, probeOf, resultsOf } from './probe.js'

export type PodTemplate = { metadata?: { labels?: Labels }; spec: PodSpec }

type Probes = { startup: Probe; liveness: Probe; readiness: Probe }
type Secret = { secretName: string; defaultMode?: number }

const readyMs = 120_000
const outputMax = 5000

/** A pod with one container, which runs from the folder of the image, at an address of its own on the loopback. */
export class Pod {
  isReady = false
  isTerminating = false
  /** What failed after the start. */
  readonly problems: string[] = []
  readonly labels: Labels
  readonly #spec: PodSpec
  readonly #container: Container
  readonly #probing = new AbortController()
  #running: Running | undefined

  constructor(
    readonly name: string,
    readonly ip: string,
    { metadata, spec }: PodTemplate,
    readonly cluster: Cluster,
  ) {
    const [container, ...others] = [...spec.containers, ...(spec.initContainers ?? [])]
    if (!container || others.length > 0) throw new Error(`${name} has not one container`)
    this.labels = metadata?.labels ?? {}
    this.#spec = spec
    this.#container = container
  }

  portOf(name: string): number {
    const port = this.#container.ports?.find((one) => one.name === name)
    if (!port) throw new Error(`${this.name} has no port ${name}`)
    return port.containerPort
  }

  /** Waits until the pod is ready. */
  async start(): Promise<void> {
    await this.#named(async () => {
      const probes = this.#probes()
      const ended = (await this.#run()).ended.then((code) => {
        throw new Error(`ended with ${code}`)
      })
      const late = sleep(readyMs, undefined, { ref: false }).then(() => {
        throw new Error(`not ready after ${readyMs / 1000} s`)
      })
      await Promise.race([ended, late, this.#becomeReady(probes)])
      ended.catch((error: Error) => this.#addProblem(error.message))
    })
  }

  /** Waits until its container has ended successfully, and returns the output. */
  complete(): Promise<string> {
    return this.#named(async () => {
      const running = await this.#run()
      const code = await running.ended
      if (code !== 0) throw new Error(`ended with ${code}`)
      return running.output
    })
  }

  /** Adds the name and the output of the pod to errors. */
  async #named<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.#probing.abort()
      throw new Error(this.#describe((error as Error).message))
    }
  }

  #probes(): Probes {
    return {
      startup: probeOf(this.#container, 'startupProbe', this.ip),
      liveness: probeOf(this.#container, 'livenessProbe', this.ip),
      readiness: probeOf(this.#container, 'readinessProbe', this.ip),
    }
  }

  async #becomeReady({ startup, liveness, readiness }: Probes): Promise<void> {
    for await (const failure of resultsOf(startup, this.#probing.signal)) {
      if (failure) throw new Error(failure)
      break
    }
    void this.#watchLiveness(liveness)
    await new Promise<void>((resolve) => void this.#watchReadiness(readiness, resolve))
  }

  async #watchLiveness(probe: Probe): Promise<void> {
    for await (const failure of resultsOf(probe, this.#probing.signal)) {
      if (failure) this.#addProblem(failure)
    }
  }

  async #watchReadiness(probe: Probe, whenReady: () => void): Promise<void> {
    for await (const failure of resultsOf(probe, this.#probing.signal)) {
      if (failure && this.isReady) this.#addProblem(failure)
      this.isReady = !failure
      this.cluster.podsChanged()
      if (!failure) whenReady()
    }
  }

  async #run(): Promise<Running> {
    const { root, objects, network } = this.cluster
    const image = readDockerfile()
    const { command = image.entrypoint, args = [] } = this.#container
    const { files, tmpfs } = await this.#mount()
    // A pod has a network of its own, in which all addresses are this one.
    const env = Object.entries(environmentOf(this.#container, objects)).map(([name, value]) => [
      name,
      value === '0.0.0.0' ? this.ip : value,
    ])
    this.#running = new Running({
      root,
      command: [...command, ...args],
      env: { ...image.env, HOSTNAME: this.name, ...Object.fromEntries(env) },
      files: { ...files, '/etc/hosts': network.hostsFile },
      tmpfs,
    })
    return this.#running
  }

  /** Makes its volumes, and the mount points in the image, as a container runtime does. */
  async #mount() {
    const files: Record<string, string> = {}
    const tmpfs: string[] = []
    for (const { name, mountPath } of this.#container.volumeMounts ?? []) {
      await mkdir(join(this.cluster.root, mountPath), { recursive: true })
      const volume = this.#spec.volumes?.find((one) => one.name === name)
      if (volume?.emptyDir) tmpfs.push(mountPath)
      else if (volume?.secret) files[mountPath] = await this.#writeSecret(volume.secret as Secret)
      else throw new Error(`there is no volume ${name}`)
    }
    return { files, tmpfs }
  }

  async #writeSecret({ secretName, defaultMode = 0o644 }: Secret): Promise<string> {
    const dir = await mkdtemp(join(this.cluster.dir, 'secret-'))
    for (const [key, text] of Object.entries(dataOf(this.cluster.objects, 'Secret', secretName))) {
      await writeFile(join(dir, key), text)
      await chmod(join(dir, key), defaultMode)
    }
    return dir
  }

  /** Deletes the pod: it leaves its Services while its container stops. */
  async delete(): Promise<void> {
    this.isTerminating = true
    this.#probing.abort()
    this.cluster.podsChanged()
    const { terminationGracePeriodSeconds: graceSeconds = 30 } = this.#spec
    const preStopMs = (this.#container.lifecycle?.preStop?.sleep?.seconds ?? 0) * 1000
    await sleep(preStopMs)
    await this.#running?.signal('SIGTERM')
    const grace = sleep(graceSeconds * 1000 - preStopMs, undefined, { ref: false })
    const code = await Promise.race([this.#running?.ended, grace])
    if (code === 0) return
    const how = code === undefined ? `still ran after ${graceSeconds} s` : `ended with ${code}`
    this.problems.push(this.#describe(`${how} when it was deleted`))
    await this.kill()
  }

  async kill(): Promise<void> {
    this.isTerminating = true
    this.#probing.abort()
    await this.#running?.signal('SIGKILL')
    await this.#running?.ended
  }

  #addProblem(why: string): void {
    if (!this.isTerminating) this.problems.push(this.#describe(why))
  }

  #describe(why: string): string {
    return `${this.name}: ${why}\n${this.#running?.output.slice(-outputMax) ?? ''}`
  }
}
