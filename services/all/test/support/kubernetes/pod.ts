import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Container, Labels, Manifest, PodSpec } from '../chart/manifests.js'
import { Container as Running } from '../image/container.js'
import { readDockerfile } from '../image/dockerfile.js'
import { environmentOf } from './environment.js'
import { dataOf } from './objects.js'
import { type ProbeName, probe } from './probe.js'

export type PodTemplate = { metadata?: { labels?: Labels }; spec: PodSpec }

/** What runs pods. */
export type Node = {
  /** The root file system of the image. */
  root: string
  dir: string
  hostsFile: string
  /** ConfigMaps and Secrets. */
  objects: Manifest[]
  podsChanged(): void
}

const readyMs = 120_000
const outputMax = 5000

/** A pod with one container, which runs from the folder of the image, at an address of its own on the loopback. */
export class Pod {
  isReady = false
  isTerminating = false
  /** What failed after the pod was ready. */
  readonly problems: string[] = []
  readonly labels: Labels
  readonly #spec: PodSpec
  readonly #container: Container
  readonly #probing = new AbortController()
  #running: Running | undefined
  #wasReady = false
  #unready: string | undefined

  constructor(
    readonly name: string,
    readonly ip: string,
    { metadata, spec }: PodTemplate,
    readonly node: Node,
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
    const running = await this.#run()
    const ended = running.ended.then((code) => {
      throw this.#failure(`ended with ${code}`)
    })
    ended.catch((error: Error) => {
      this.#probing.abort()
      this.#addProblem(error.message)
    })
    const late = sleep(readyMs, undefined, { ref: false }).then(() => {
      throw this.#failure(`not ready after ${readyMs / 1000} s: ${this.#unready}`)
    })
    await Promise.race([ended, late, this.#becomeReady()])
    this.#wasReady = true
  }

  /** Waits until its container has ended successfully, and returns the output. */
  async complete(): Promise<string> {
    const running = await this.#run()
    const code = await running.ended
    if (code !== 0) throw this.#failure(`ended with ${code}`)
    return running.output
  }

  async #becomeReady(): Promise<void> {
    for await (const failure of this.#probe('startupProbe')) {
      if (failure) throw this.#failure(failure)
      break
    }
    void this.#watchLiveness()
    await new Promise<void>((resolve) => void this.#watchReadiness(resolve))
  }

  async #watchLiveness(): Promise<void> {
    for await (const failure of this.#probe('livenessProbe')) {
      if (failure) this.#addProblem(this.#failure(failure).message)
    }
  }

  async #watchReadiness(whenReady: () => void): Promise<void> {
    for await (const failure of this.#probe('readinessProbe')) {
      this.#unready = failure
      if (failure && this.isReady) this.#addProblem(this.#failure(failure).message)
      this.isReady = !failure
      this.node.podsChanged()
      if (!failure) whenReady()
    }
  }

  #probe(name: ProbeName) {
    return probe(this.#container, name, this.ip, this.#probing.signal)
  }

  async #run(): Promise<Running> {
    try {
      this.#running = await this.#launch()
      return this.#running
    } catch (error) {
      throw this.#failure((error as Error).message)
    }
  }

  async #launch(): Promise<Running> {
    const { root, hostsFile, objects } = this.node
    const image = readDockerfile()
    const { command = image.entrypoint, args = [] } = this.#container
    const { files, tmpfs } = await this.#mount()
    // A pod has a network of its own, in which all addresses are this one.
    const env = Object.entries(environmentOf(this.#container, objects)).map(([name, value]) => [
      name,
      value === '0.0.0.0' ? this.ip : value,
    ])
    return new Running({
      root,
      command: [...command, ...args],
      env: { ...image.env, HOSTNAME: this.name, ...Object.fromEntries(env) },
      files: { ...files, '/etc/hosts': hostsFile },
      tmpfs,
    })
  }

  /** Makes its volumes, and the mount points in the image, as a container runtime does. */
  async #mount() {
    const files: Record<string, string> = {}
    const tmpfs: string[] = []
    for (const { name, mountPath } of this.#container.volumeMounts ?? []) {
      await mkdir(join(this.node.root, mountPath), { recursive: true })
      const volume = this.#spec.volumes?.find((one) => one.name === name)
      if (volume?.emptyDir) tmpfs.push(mountPath)
      else if (volume?.secret) files[mountPath] = await this.#writeSecret(volume.secret as Secret)
      else throw new Error(`there is no volume ${name}`)
    }
    return { files, tmpfs }
  }

  async #writeSecret({ secretName, defaultMode = 0o644 }: Secret): Promise<string> {
    const dir = await mkdtemp(join(this.node.dir, 'secret-'))
    const data = dataOf(this.node.objects, 'Secret', secretName)
    for (const [key, text] of Object.entries(data)) {
      await writeFile(join(dir, key), text)
      await chmod(join(dir, key), defaultMode)
    }
    return dir
  }

  /** Deletes the pod: it leaves its Services while its container stops. */
  async delete(): Promise<void> {
    this.isTerminating = true
    this.#probing.abort()
    this.node.podsChanged()
    const { lifecycle } = this.#container
    const { terminationGracePeriodSeconds: graceSeconds = 30 } = this.#spec
    const preStopMs = (lifecycle?.preStop?.sleep?.seconds ?? 0) * 1000
    await sleep(preStopMs)
    await this.#running?.signal('SIGTERM')
    const grace = sleep(graceSeconds * 1000 - preStopMs, undefined, { ref: false })
    const code = await Promise.race([this.#running?.ended, grace])
    if (code === 0) return
    const how = code === undefined ? `still ran after ${graceSeconds} s` : `ended with ${code}`
    this.problems.push(this.#failure(`${how} after its deletion`).message)
    await this.kill()
  }

  async kill(): Promise<void> {
    this.isTerminating = true
    this.#probing.abort()
    await this.#running?.signal('SIGKILL')
    await this.#running?.ended
  }

  #addProblem(problem: string): void {
    if (this.#wasReady && !this.isTerminating) this.problems.push(problem)
  }

  #failure(why: string): Error {
    return new Error(`${this.name}: ${why}\n${this.#running?.output.slice(-outputMax) ?? ''}`)
  }
}

type Secret = { secretName: string; defaultMode?: number }
