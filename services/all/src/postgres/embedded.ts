import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, Failure } from '../failure.js'
import { chooseAddress } from './address.js'
import { type Cluster, openCluster } from './cluster.js'
import { accepts, createDatabase } from './database.js'
import { stopOrphan, stopServer } from './orphan.js'

export type EmbeddedPostgres = AsyncDisposable & {
  databaseUrl: string
  /** Resolves when the server ends unexpectedly. */
  died: Promise<Failure>
  /** Signals the server to stop, without waiting. */
  abandon(): void
}

export type PostgresOptions = {
  dataDir: string
  /** Additional settings; only tests may disable durability. */
  settings?: Record<string, string>
}

const logBytesMax = 5 * 1024 * 1024
const logTailLines = 15
const attemptsMax = 20
const attemptMs = 250
/** The database of the product on the built-in server. */
export const databaseName = 'figbase'

// Passed on the command line, so that settings of a new version apply to existing clusters. Failed statements are not
// logged: clients handle them, and the log would grow.
const embeddedSettings = {
  max_connections: '200',
  shared_buffers: '128MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/** Starts PostgreSQL on `<dataDir>/postgres`; first stops a server that a killed Figbase left running. */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const log = join(options.dataDir, 'postgres.log')
  const cluster = await openCluster(options.dataDir, options.settings?.fsync !== 'off')
  await stopOrphan(cluster.dir)
  const address = await chooseAddress(cluster)
  const settings = { ...embeddedSettings, ...options.settings, ...address.settings }
  for (let attempt = 1; ; attempt++) {
    const server = await launch(cluster, settings, log)
    const end = exitOf(server)
    const postgres = supervised(server, end, log, address.url(databaseName))
    try {
      if (await accepts(address.url('postgres'), end)) {
        await createDatabase(address.url('postgres'), databaseName)
        return postgres
      }
    } catch (error) {
      await postgres[Symbol.asyncDispose]()
      throw error
    }
    if (attempt === attemptsMax || !(await isClusterInUse(log)))
      throw await failure('did not start', log)
    await sleep(attemptMs)
  }
}

// Backends of a killed server take a moment to exit.
async function isClusterInUse(log: string): Promise<boolean> {
  return (await tailOf(log)).includes('is still in use')
}

// `detached` starts the server in its own session, so that Ctrl-C in the terminal does not stop it before its clients.
async function launch(cluster: Cluster, settings: Record<string, string>, log: string) {
  const { account, binaries, dir } = cluster
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command = '', ...args] = [...account.prefix, binaries.postgres, '-D', dir, ...flags]
  await rotate(log)
  const file = await open(log, 'a', 0o600)
  try {
    await account.chown(log)
    const stdio = ['ignore' as const, file.fd, file.fd]
    return spawn(command, args, { ...account.options, detached: true, stdio })
  } finally {
    await file.close()
  }
}

function exitOf(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    server.once('exit', () => resolve()).once('error', () => resolve())
  })
}

function supervised(
  server: ChildProcess,
  end: Promise<void>,
  log: string,
  databaseUrl: string,
): EmbeddedPostgres {
  let stopping = false
  return {
    databaseUrl,
    died: new Promise((resolve) => {
      end.then(async () => stopping || resolve(await failure('ended unexpectedly', log)))
    }),
    abandon() {
      stopping = true
      server.kill('SIGINT')
    },
    async [Symbol.asyncDispose]() {
      stopping = true
      if (server.pid === undefined || server.exitCode !== null || server.signalCode) return
      const exited = once(server, 'exit')
      await stopServer(server.pid)
      await exited
    },
  }
}

async function failure(what: string, log: string): Promise<Failure> {
  return new Failure(
    `PostgreSQL ${what}; the end of its log:\n${(await tailOf(log)) || '(empty)'}`,
    `The full log is ${log}. Fix the cause and start again: no committed data is lost.`,
  )
}

async function tailOf(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-logTailLines).join('\n')
}

async function rotate(log: string): Promise<void> {
  try {
    if ((await stat(log)).size > logBytesMax) await rename(log, `${log}.1`)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}
