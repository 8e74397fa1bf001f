import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isAlive } from '../../src/postgres/processes.js'
import { oncePerRun } from './once-per-run.js'

const standIn = fileURLToPath(new URL('stand-in/launch.js', import.meta.url))
const waitMs = 60_000
const pauseMsMin = 10
const pauseMsMax = 250

export const isRoot = process.geteuid?.() === 0

export type LaunchOptions = {
  dataDir: string
  args?: string[]
  env?: NodeJS.ProcessEnv
  uid?: number
  /** Whether PostgreSQL makes its cluster, as at a first start, which takes a second. Otherwise a copy of one is used. */
  isFirst?: boolean
}

/** The launcher in its own process and process group. */
export class Launched {
  output = ''
  readonly child: ChildProcess
  readonly ended: Promise<string | number | null>

  constructor(
    readonly options: LaunchOptions,
    program: string,
  ) {
    const { args = [], dataDir, uid } = options
    // Without models, which take processor time from the other tests.
    const models = { EMBEDDER: 'none', OCR_ENABLED: 'false' }
    const own = { PATH: process.env.PATH, PORT: '0', FIGBASE_DATA_DIR: dataDir }
    const env = { ...own, ...models, ...options.env }
    const user = uid === undefined ? {} : { uid, gid: uid }
    const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const]
    this.child = spawn(process.execPath, [program, ...args], {
      ...user,
      env,
      stdio,
      detached: true,
      cwd: tmpdir(),
    })
    const keep = (chunk: string) => {
      this.output += chunk
    }
    this.child.stdout?.setEncoding('utf8').on('data', keep)
    this.child.stderr?.setEncoding('utf8').on('data', keep)
    this.ended = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => resolve(signal ?? code))
    })
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** Waits until it serves requests. */
  async ready(): Promise<this> {
    await until(() => this.output.includes('Figbase is ready') || this.hasEnded(), 'ready')
    if (this.hasEnded()) throw new Error(`the launcher ended during startup:\n${this.output}`)
    return this
  }

  get url(): string {
    return /ready at (\S+)/.exec(this.output)?.[1]?.replace('localhost', '127.0.0.1') ?? ''
  }

  async get(path: string): Promise<string> {
    const response = await fetch(this.url + path, { headers: { connection: 'close' } })
    return response.text()
  }

  /** Sends a slow request, and waits until it has arrived. */
  async begin(path: string): Promise<{ answer: Promise<string> }> {
    const answer = this.get(path)
    await until(() => this.output.includes(`answering ${path}\n`), `${path} to arrive`)
    return { answer }
  }

  hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  async stop(): Promise<string | number | null> {
    this.child.kill('SIGTERM')
    return this.ended
  }
}

/** Directories and processes of a test file, removed at its end. */
export class Bench implements AsyncDisposable {
  readonly #dirs: string[] = []
  readonly #launched: Launched[] = []
  readonly #program: string

  /** The default program starts a stand-in for the product. */
  constructor(program = standIn) {
    this.#program = program
  }

  async dir(): Promise<string> {
    const dir = await mkdtemp(join(tmpdir(), 'figbase-launch-'))
    this.#dirs.push(dir)
    return dir
  }

  launch(options: LaunchOptions): Launched {
    const launched = new Launched(options, this.#program)
    this.#launched.push(launched)
    return launched
  }

  async start(options: LaunchOptions): Promise<Launched> {
    if (isCopied(options)) await copyCluster(options.dataDir, this.#program)
    return this.launch(options).ready()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child, ended } of this.#launched) {
      child.kill('SIGKILL')
      await ended
    }
    for (const { options } of this.#launched) {
      const pid = await postgresPid(options.dataDir)
      if (pid && isAlive(pid)) process.kill(pid, 'SIGQUIT')
      await until(() => !pid || !isAlive(pid), 'PostgreSQL to end')
    }
    for (const dir of this.#dirs) await rm(dir, { recursive: true, force: true })
  }
}

const isCopied = ({ dataDir, env = {}, uid, isFirst }: LaunchOptions) =>
  !isFirst &&
  process.env.TEST_CLUSTER_DIR !== undefined &&
  uid === undefined &&
  !env.DATABASE_URL &&
  !existsSync(join(dataDir, 'postgres'))

/** Copies an empty cluster; for the product one whose database is migrated, which saves another second. */
async function copyCluster(dataDir: string, program: string): Promise<void> {
  const { TEST_CLUSTER_DIR: empty = '' } = process.env
  const migrate = async (draft: string) => {
    await copy(empty, draft)
    const migrating = new Launched({ dataDir: draft, args: ['migrate'] }, program)
    if ((await migrating.ended) !== 0) throw new Error(migrating.output)
    await rm(join(draft, 'postgres.log'))
  }
  const made = program === standIn ? empty : await oncePerRun('migrated-cluster', migrate)
  await mkdir(dataDir, { recursive: true })
  await copy(made, dataDir)
}

const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', `${from}/.`, to])

export async function postgresPid(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  return Number(text.split('\n')[0]) || undefined
}

/** Waits until it is so. A check that takes longer, such as a request, is repeated less often. */
export async function until(done: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + waitMs
  for (;;) {
    const asked = performance.now()
    if (await done()) return
    const answered = performance.now()
    if (answered > end) throw new Error(`timed out waiting for ${what}`)
    await sleep(Math.min(Math.max(pauseMsMin, 5 * (answered - asked)), pauseMsMax))
  }
}
