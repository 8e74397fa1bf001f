import { rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formerNamesIn } from '@figbase/kit/config'
import { adminPasswordName, adminUsernameOf } from './admin-password.js'
import { type Arguments, parseArguments } from './arguments.js'
import type { PreparedCommand } from './commands/command.js'
import { createDataDir } from './data-dir.js'
import { lockDataDir } from './data-dir-lock.js'
import { codeOf, describe, Failure } from './failure.js'
import { lockDatabase } from './instance-lock.js'
import { type EmbeddedPostgres, startPostgres } from './postgres/embedded.js'
import type { RunningProduct, StartProduct } from './product.js'
import { programOf } from './programs.js'
import { launcherService, reachExternal } from './reach-database.js'
import { refuseIncompleteRestore } from './restore-marker.js'
import { readSecrets } from './secrets.js'
import { isDebug, readSettings, type Settings } from './settings.js'
import { catchSignals, type StopSignals } from './signals.js'

export type Host = {
  args: string[]
  env: NodeJS.ProcessEnv
  cwd: string
  /** The repository. */
  root: string
  /** Shows progress while `work` runs. */
  progress<T>(title: string, work: () => Promise<T>): Promise<T>
}

/** Loads one of the two topologies, which import all services. */
export type LoadProduct = () => Promise<StartProduct>
export type Products = {
  allInOne: LoadProduct
  distributed: LoadProduct
  /** Throws a Failure that lists all problems of the settings. */
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
    if (args.text !== undefined) {
      console.log(args.text)
      return 0
    }
    if (args.serve !== undefined) return await serveOne(args.serve)
    return await launch(args, host, products)
  } catch (error) {
    console.error(describe(error, isDebug(host.env)))
    return 1
  }
}

async function launch(args: Arguments, host: Host, products: Products): Promise<number> {
  const { distributed, command } = args
  const parts: Parts = {}
  using stop = catchSignals((signal) => {
    console.error(`figbase-server: second ${signal}: stopping immediately`)
    parts.product?.abandon?.()
    parts.postgres?.abandon()
    process.exit(signal === 'SIGINT' ? 130 : 143)
  })
  if (!command || command.requiresSettings) await products.requireSettings(host.env)
  if (command) return (await runCommand(command, host, stop)) === false ? 1 : 0
  await run(host, distributed ? products.distributed : products.allInOne, stop, parts)
  return 0
}

/** Runs one program of the distributed topology in this process; the program ends the process. */
async function serveOne(name: string): Promise<never> {
  await import(pathToFileURL(programOf(name).file).href)
  return new Promise(() => {})
}

/** Resolves to false when the command succeeded and reports problems. */
function runCommand(command: PreparedCommand, host: Host, stop: StopSignals): Promise<unknown> {
  const stopping = new AbortController()
  void stop.requested.then((name) => stopping.abort(new Failure(`${name}: command interrupted`)))
  return command.run(host, stopping.signal)
}

// Stops in reverse order: the product, then PostgreSQL, then the lock.
async function run(host: Host, load: LoadProduct, stop: StopSignals, parts: Parts) {
  const { progress } = host
  const settings = readSettings(host.env, host.cwd, host.root)
  const { dataDir } = settings
  warnOfFormerNames(host.env)
  await createDataDir(dataDir)
  await refuseIncompleteRestore(dataDir)
  await using _lock = await lockDataDir(dataDir)
  await rm(join(dataDir, 'url'), { force: true })
  await refuseUsedPort(settings)
  const secrets = await readSecrets(dataDir)

  const loading = load()
  loading.catch(() => {})
  const external = settings.databaseUrl && (await reachExternal(settings, launcherService))
  await using postgres = external ? undefined : await startBuiltInPostgres(settings, host)
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
  await using _drained = withTimeout(product, settings, progress)
  if (stop.isRequested()) return
  await using _url = await announce(product, dataDir, adminUsernameOf(host.env))

  const died = [postgres?.died, product.died, lock?.lost].filter((promise) => promise !== undefined)
  const cause = await Promise.race([stop.requested, ...died])
  if (cause instanceof Failure) throw cause
  console.log(`${cause}: stopping`)
}

function warnOfFormerNames(env: NodeJS.ProcessEnv): void {
  for (const { former, name } of formerNamesIn(env)) {
    console.error(
      `figbase-server: the setting ${former} is now named ${name}; the former name still works`,
    )
  }
}

/** Whether objects and counters can be shared with other instances on the database. */
const isShared = ({ S3_ENDPOINT, REDIS_URL }: NodeJS.ProcessEnv) =>
  Boolean(S3_ENDPOINT && REDIS_URL)

const startBuiltInPostgres = ({ dataDir }: Settings, { progress }: Host) =>
  progress('Starting PostgreSQL', () => startPostgres({ dataDir }))

// Checked before anything is started.
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
      `Stop it, or choose another port, for example PORT=${port + 1}.`,
    )
  }
  if (codeOf(error) === 'EACCES') {
    throw new Failure(`no permission to use port ${port}`, 'Set PORT to a port above 1023.')
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND'].includes(codeOf(error))) {
    throw new Failure('HOST is not an address of this machine', 'Correct or unset it.')
  }
  throw error
}

// Servers end requests in flight after SHUTDOWN_TIMEOUT themselves; this bounds the rest.
const graceMs = 2000

function withTimeout(
  product: RunningProduct,
  { shutdownDelayMs, shutdownTimeoutMs: ms }: Settings,
  progress: Host['progress'],
) {
  return {
    async [Symbol.asyncDispose]() {
      let timer: NodeJS.Timeout | undefined
      const timedOut = new Promise<void>((resolve) => {
        timer = setTimeout(
          () => {
            console.error(
              `figbase-server: shutdown timed out after ${ms / 1000} s (SHUTDOWN_TIMEOUT)`,
            )
            product.abandon?.()
            resolve()
          },
          shutdownDelayMs + ms + graceMs,
        )
      })
      const drained = progress('Finishing requests in flight', async () => {
        await Promise.race([product[Symbol.asyncDispose](), timedOut])
      })
      await drained.finally(() => clearTimeout(timer))
    },
  }
}

/** Prints the addresses, and writes `<dataDir>/url` for scripts until Figbase stops. */
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
