import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Container, Labels, PodSpec } from '../chart/manifests.js'
import type { LocalCluster } from './cluster.js'
import { LocalContainer } from './container.js'
import { environmentOf, expand } from './environment.js'
import { dataOf } from './objects.js'

export type PodTemplate = { metadata?: { labels?: Labels }; spec: PodSpec }

const graceSeconds = 30
/** The image of dumps has these programs. */
const programsOfPostgres = '/usr/lib/postgresql/15/bin'
const inDist = (name: string) => new URL(name, import.meta.url)

/** Local directories by the paths in the containers. */
type Directories = Record<string, string>

/** A pod with its own address, whose containers are local processes. */
export class LocalPod {
  isTerminating = false
  readonly labels: Labels
  readonly #spec: PodSpec
  readonly #containers: LocalContainer[] = []
  readonly #started: Promise<void>
  #becomeReady: () => void = () => {}
  #fail: (problem: Error) => void = () => {}
  #dir = ''

  constructor(
    readonly name: string,
    readonly ip: string,
    { metadata, spec }: PodTemplate,
    readonly cluster: LocalCluster,
  ) {
    this.labels = metadata?.labels ?? {}
    this.#spec = spec
    this.#started = new Promise((resolve, reject) => {
      this.#becomeReady = resolve
      this.#fail = reject
    })
    this.#started.catch(() => {})
  }

  get isReady(): boolean {
    return this.#containers.length > 0 && this.#containers.every(({ isReady }) => isReady)
  }

  portOf(name: string | number): number {
    if (typeof name === 'number') return name
    const ports = this.#spec.containers.flatMap((container) => container.ports ?? [])
    return ports.find((one) => one.name === name)?.containerPort ?? 0
  }

  /** Waits until the pod is ready; rejects with an Error that names the container. */
  async start(): Promise<void> {
    await this.#launchAll()
    await this.#started
  }

  /** Waits until all containers have ended successfully, and returns their output. */
  async complete(): Promise<string> {
    await this.#launchAll()
    const outputs = await Promise.all(this.#containers.map((one) => one.complete()))
    await this.#remove()
    return outputs.join('')
  }

  async #launchAll(): Promise<void> {
    this.#dir = await mkdtemp(join(this.cluster.dir, `${this.name}-`))
    if (this.#spec.initContainers?.length) throw new Error(`${this.name}: init containers`)
    for (const spec of this.#spec.containers) {
      const container = await this.#prepare(spec)
      this.#containers.push(container)
      container.start()
    }
  }

  async #prepare(spec: Container): Promise<LocalContainer> {
    const { ip, name, cluster } = this
    const fields = { 'status.podIP': ip, 'metadata.name': name }
    const given = environmentOf(spec, cluster.objects, fields)
    const directories = await this.#mountVolumes(spec)
    const cwd = join(this.#dir, 'root')
    await mkdir(cwd, { recursive: true })
    // Not below `cwd` if it is on no volume: must not be written.
    const dataDir = given.FIGBASE_DATA_DIR
    const paths = { ...(dataDir && { [dataDir]: join(cwd, 'data') }), ...directories }
    const env = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, inDirectories(value, paths)]),
    )
    const [program = '', ...args] = [...(spec.command ?? []), ...(spec.args ?? [])].map((word) =>
      inDirectories(expand(word, given), paths),
    )
    const network = inDist('pod-network.js')
    network.searchParams.set('ip', ip)
    network.searchParams.set('services', pathToFileURL(cluster.network.file).href)
    const launch = {
      program: program === 'node' ? process.execPath : program,
      args: args.map((arg) =>
        arg === '/app/figbase.mjs' ? fileURLToPath(inDist('figbase.js')) : arg,
      ),
      env: {
        PATH: [process.env.PATH, programsOfPostgres].join(delimiter),
        HOSTNAME: name,
        ...(paths['/tmp'] && { TMPDIR: paths['/tmp'] }),
        ...env,
        NODE_OPTIONS: [env.NODE_OPTIONS, `--import=${network.href}`].filter(Boolean).join(' '),
      },
      cwd,
      ip,
    }
    return new LocalContainer(spec, launch, {
      readinessChanged: () => {
        if (this.isReady) this.#becomeReady()
        cluster.network.podsChanged()
      },
      failed: (problem) => {
        cluster.problems.push(problem)
        this.#fail(new Error(problem))
      },
    })
  }

  async #mountVolumes({ name: container, volumeMounts = [] }: Container): Promise<Directories> {
    const directories: Directories = {}
    for (const { name, mountPath } of volumeMounts) {
      const volume = this.#spec.volumes?.find((one) => one.name === name)
      const dir = join(this.#dir, 'volumes', name)
      await mkdir(dir, { recursive: true })
      directories[mountPath] = dir
      const secret = volume?.secret as { secretName: string; defaultMode?: number } | undefined
      if (secret) {
        const data = dataOf(this.cluster.objects, 'Secret', secret.secretName)
        if (!data) {
          throw new Error(`container ${container}: there is no Secret ${secret.secretName}`)
        }
        for (const [key, text] of Object.entries(data)) {
          const file = join(dir, key)
          await rm(file, { force: true })
          await writeFile(file, text)
          await chmod(file, secret.defaultMode ?? 0o644)
        }
      } else if (!volume?.emptyDir && !volume?.persistentVolumeClaim) {
        throw new Error(`container ${container}: unknown volume ${name}`)
      }
    }
    return directories
  }

  /** Deletes the pod: it leaves its Services while its containers stop. */
  async terminate(): Promise<void> {
    this.isTerminating = true
    this.cluster.network.podsChanged()
    const graceMs = (this.#spec.terminationGracePeriodSeconds ?? graceSeconds) * 1000
    await Promise.all(this.#containers.map((one) => one.stop(graceMs)))
    await this.#remove()
  }

  kill(): void {
    for (const container of this.#containers) container.kill()
  }

  /** The root file system is read-only, so nothing may be in it. */
  async #remove(): Promise<void> {
    const written = await readdir(join(this.#dir, 'root'))
    if (written.length > 0) {
      this.cluster.problems.push(`${this.name}: wrote outside its volumes: ${written}`)
    }
    await rm(this.#dir, { recursive: true, force: true })
  }
}

/** Replaces paths in containers by local ones. */
function inDirectories(text: string, directories: Directories): string {
  const paths = Object.keys(directories).map((path) => path.replaceAll('.', '\\.'))
  if (paths.length === 0) return text
  const pattern = new RegExp(`(?<![\\w./-])(${paths.join('|')})(?![\\w.-])`, 'g')
  return text.replace(pattern, (path) => directories[path] ?? path)
}
