import { rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { adminPasswordName, adminUsernameOf } from './admin-password.js'
import { type Arguments, type Command, parseArguments, usage } from './arguments.js'
import { runBackup } from './backup/backup.js'
import { makeDataDir } from './data-dir.js'
import { runDatabaseRoles } from './database-roles.js'
import { runDeadLetters } from './dead-letters.js'
import { codeOf, describe, Failure } from './failure.js'
import { lockDatabase } from './instance-lock.js'
import { lockDataDir } from './lock.js'
import { type EmbeddedPostgres, startPostgres } from './postgres/embedded.js'
import type { RunningProduct, StartProduct } from './product.js'
import { programOf } from './programs.js'
import { launcherService, reachExternal } from './reach-database.js'
import { refuseHalfRestored } from './restoring.js'
import { readSecrets } from './secrets.js'
import { isDebug, readSettings, type Settings } from './settings.js'
import { catchSignals, type StopSignals } from './signals.js'

export type Host = {
  args: string[]
  env: NodeJS.ProcessEnv
  cwd: string
  /** The repository. */
  root: string
  /** Shows that something is going on while `work` takes long. */
  progress<T>(title: string, work: () => Promise<T>): Promise<T>
}

/** Loads one of the two topologies; all that there is hangs on them. */
export type LoadProduct = () => Promise<StartProduct>
export type Products = {
  allInOne: LoadProduct
  distributed: LoadProduct
  /** Throws a Failure that names all that is malformed of what the product reads. */
  requireSettings(env: NodeJS.ProcessEnv): Promise<void>
}

const figbase: Products = {
  allInOne: async () => (await import('./all-in-one.js')).startAllInOne,
  distributed: async () => (await import('./distributed.js')).startDistributed,
  requireSettings: async (env) => (await import('./check-settings.js')).requireSettings(env),
}

type Parts = { postgres?: EmbeddedPostgres; product?: RunningProduct }

/** Runs Figbase until a signal or a failure ends it; resolves to the exit code. */
export async function main(host: Host, products = figbase): Promise<number> {
  try {
    const args = parseArguments(host.args)
    if (args.serve !== undefined) return await serveOne(args.serve)
    return await launch(args, host, products)
  } catch (error) {
    console.error(describe(error, isDebug(host.env)))
    return 1
  }
}

async function launch(args: Arguments, host: Host, products: Products): Promise<number> {
  const { help, distributed, command } = args
  const parts: Parts = {}
  using stop = catchSignals((signal) => {
    console.error(`figbase: ${signal} again: stopping at once`)
    parts.product?.abandon?.()
    parts.postgres?.abandon()
    process.exit(signal === 'SIGINT' ? 130 : 143)
  })
  if (help) console.log(usage)
  else {
    if (!command || readsAll.has(command.name)) await products.requireSettings(host.env)
    if (command) return (await runCommand(command, host, stop)) === false ? 1 : 0
    await run(host, distributed ? products.distributed : products.allInOne, stop, parts)
  }
  return 0
}

/** Commands that load the services, which is when settings of theirs are read. */
const readsAll = new Set<Command['name']>([
  'restore',
  'fsck',
  'collect',
  'migrate',
  'create-admin',
  'rotate-keys',
])

/** Hands the process over to one of the programs of the distributed topology, which ends it. */
async function serveOne(name: string): Promise<never> {
  await import(pathToFileURL(programOf(name).file).href)
  return new Promise(() => {})
}

/** False: it went through, and what it found is not well. */
async function runCommand(command: Command, host: Host, stop: StopSignals): Promise<unknown> {
  const stopping = new AbortController()
  const { signal } = stopping
  void stop.requested.then((name) => stopping.abort(new Failure(`${name}: stopped half way`)))
  switch (command.name) {
    case 'dead-letters':
      return runDeadLetters(command, host)
    case 'database-roles':
      return runDatabaseRoles()
    case 'backup':
      return runBackup(command, host, signal)
    // These know the services: loading them takes longer than starting.
    case 'restore':
      return (await import('./backup/restore.js')).runRestore(command, host, signal)
    case 'fsck':
      return (await import('./keeping/fsck.js')).runFsck(command, host, signal)
    case 'collect':
      return (await import('./keeping/collect.js')).runCollect(command, host, signal)
    case 'migrate':
      return (await import('./migrate.js')).runMigrate(command, host)
    case 'create-admin':
      return (await import('./create-admin.js')).runCreateAdmin(command, host)
    case 'doctor':
      return (await import('./doctor/doctor.js')).runDoctor(command, host)
    case 'rotate-keys':
      return (await import('./rotate-keys/rotate-keys.js')).runRotateKeys(command, host, signal)
  }
}

// What is started later is stopped earlier: the product, then PostgreSQL, then the lock.
async function run(host: Host, load: LoadProduct, stop: StopSignals, parts: Parts) {
  const { progress } = host
  const settings = readSettings(host.env, host.cwd, host.root)
  const { dataDir } = settings
  await makeDataDir(dataDir)
  await refuseHalfRestored(dataDir)
  await using _lock = await lockDataDir(dataDir)
  await rm(join(dataDir, 'url'), { force: true })
  await refuseUsedPort(settings)
  const secrets = await readSecrets(dataDir)

  const loading = load()
  loading.catch(() => {})
  const external = settings.databaseUrl && (await reachExternal(settings, launcherService))
  await using postgres = external ? undefined : await bringPostgres(settings, host)
  parts.postgres = postgres
  if (stop.isRequested()) return
  const databaseUrl = settings.databaseUrl || postgres?.databaseUrl || ''
  const sharing = { isShared: isShared(host.env), secret: secrets.current }
  await using lock = external ? await lockDatabase({ database: external, ...sharing }) : undefined
  const env = { ...host.env, PORT: String(settings.port), FIGBASE_DATA_DIR: dataDir }
  const product = await progress('Starting Figbase', async () => {
    const start = await loading
    return start({ env, databaseUrl, dataDir, secrets }).catch(explainUsedPort(settings.port))
  })
  parts.product = product
  await using _drained = bounded(product, settings, progress)
  if (stop.isRequested()) return
  await using _url = await announce(product, dataDir, adminUsernameOf(host.env))

  const died = [postgres?.died, product.died, lock?.lost].filter((promise) => promise !== undefined)
  const cause = await Promise.race([stop.requested, ...died])
  if (cause instanceof Failure) throw cause
  console.log(`${cause}: stopping`)
}

/** Whether other instances on the database have the same objects and counters. */
const isShared = ({ S3_ENDPOINT, REDIS_URL }: NodeJS.ProcessEnv) =>
  Boolean(S3_ENDPOINT && REDIS_URL)

const bringPostgres = ({ dataDir }: Settings, { progress }: Host) =>
  progress('Starting PostgreSQL', () => startPostgres({ dataDir }))

// Asked before anything is started.
async function refuseUsedPort({ host, port }: Settings): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => server.close(() => resolve()))
  }).catch(explainUsedPort(port))
}

const explainUsedPort = (port: number) => (error: unknown) => {
  if (codeOf(error) === 'EADDRINUSE') {
    throw new Failure(
      `port ${port} is in use by another program`,
      `Stop that one, or choose another port: PORT=${port + 1} npm start`,
    )
  }
  if (codeOf(error) === 'EACCES') {
    throw new Failure(`port ${port} is not yours to use`, 'Choose one above 1023 with PORT.')
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND'].includes(codeOf(error))) {
    throw new Failure('HOST is not an address of this machine', 'Leave it out, or mend it.')
  }
  throw error
}

// Servers end what is in flight after SHUTDOWN_TIMEOUT themselves; this is for those that do not.
const graceMs = 2000

function bounded(
  product: RunningProduct,
  { shutdownDelayMs, shutdownTimeoutMs: ms }: Settings,
  progress: Host['progress'],
) {
  return {
    async [Symbol.asyncDispose]() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(
          () => {
            console.error(`figbase: not all was finished after ${ms / 1000} s (SHUTDOWN_TIMEOUT)`)
            product.abandon?.()
            resolve()
          },
          shutdownDelayMs + ms + graceMs,
        )
      })
      const drained = progress('Finishing requests in flight', async () => {
        await Promise.race([product[Symbol.asyncDispose](), late])
      })
      await drained.finally(() => clearTimeout(timer))
    },
  }
}

/** Prints how to use it, and keeps `<dataDir>/url` for scripts as long as it serves. */
async function announce(
  product: RunningProduct,
  dataDir: string,
  administrator: string,
): Promise<AsyncDisposable> {
  const { url, rpc, operations } = product
  const file = join(dataDir, 'url')
  await writeFile(file, `${url}\n`)
  const password = join(dataDir, adminPasswordName)
  const hasPassword = await stat(password).then(
    () => true,
    () => false,
  )
  const signIn = hasPassword
    ? `\n  sign in  username ${administrator}, password in ${password}`
    : ''
  const grpc = rpc ? `\n  gRPC     ${rpc}` : ''
  const metrics = operations ? `\n  metrics  ${operations}` : ''
  console.log(
    `\nFigbase is ready at ${url}${grpc}${metrics}${signIn}\n  data     ${dataDir}\n  stop     Ctrl-C\n`,
  )
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) }
}
