import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Lifecycle } from '@figbase/kit/service'
import type { ModelServer } from '@figbase/stories-ai/testing/model-server'
import pg from 'pg'
import { program } from '../author.js'
import { Bench } from '../launched.js'
import { createMigratedDatabase } from '../migrated-database.js'
import { startReplicated } from '../replicated/replicated.js'
import { type Provider, settingsFor, switchAiOn } from '../switch-ai-on.js'

/** A product whose service `stories-ai` can be killed. */
export type AiProduct = AsyncDisposable & {
  readonly url: string
  /** Sends SIGKILL to the process with the service. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Runs a statement in the schema of the service. */
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>
}

const settings = (model: ModelServer, provider: Provider) => ({
  ...settingsFor(model, provider),
  AI_IDLE_TIMEOUT: '2s',
  // Equal questions reach the model each time.
  AI_ANSWER_RETENTION: '0s',
  LOG_LEVEL: 'fatal',
  ACCESS_TOKEN_LIFETIME: '1d',
  // All users have one address.
  REGISTRATIONS_PER_HOUR_AND_ADDRESS_MAX: '1000000',
  REQUESTS_PER_MINUTE_MAX: '1000000',
})

/** One process, which is killed as a whole. */
export async function startInOneProcess(
  model: ModelServer,
  provider: Provider,
): Promise<AiProduct> {
  const bench = new Bench(program)
  try {
    const options = { dataDir: await bench.dir(), env: settings(model, provider) }
    let launched = await bench.start(options)
    await switchAiOn(launched.url, options.dataDir)
    const host = encodeURIComponent(join(options.dataDir, 'postgres'))
    const database = openDatabase(`postgres://figbase@localhost/figbase?host=${host}`)
    return {
      get url() {
        return launched.url
      },
      async kill() {
        launched.child.kill('SIGKILL')
        await launched.ended
      },
      async start() {
        launched = await bench.start(options)
      },
      query: database.query,
      async [Symbol.asyncDispose]() {
        await database[Symbol.asyncDispose]()
        await launched.stop()
        await bench[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await bench[Symbol.asyncDispose]()
    throw error
  }
}

/** A process for each service; only that of `stories-ai` is killed. */
export async function startInProcesses(model: ModelServer, provider: Provider): Promise<AiProduct> {
  const lifecycle = new Lifecycle()
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'figbase-ledger-'))
    lifecycle.onStop(() => rm(dataDir, { recursive: true, force: true }))
    const { url: databaseUrl, ...database } = await createMigratedDatabase()
    lifecycle.onStop(() => database[Symbol.asyncDispose]())
    const servers = { env: { DATABASE_URL: databaseUrl, OBJECTS_DIR: join(dataDir, 'objects') } }
    const env = settings(model, provider)
    const product = await startReplicated({ servers, dataDir, env, count: 1 })
    lifecycle.onStop(() => product[Symbol.asyncDispose]())
    await switchAiOn(product.url, dataDir)
    const service = product.replicas.find(({ program }) => program.name === 'stories-ai')
    if (!service) throw new Error('there is no process of stories-ai')
    const { query, ...connections } = openDatabase(databaseUrl)
    lifecycle.onStop(() => connections[Symbol.asyncDispose]())
    return {
      url: product.url,
      kill: () => service.kill(),
      start: () => service.start(),
      query,
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

function openDatabase(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: 2, options: '-c search_path=stories-ai' })
  // The server ends with a process that is killed.
  pool.on('error', () => {})
  return {
    async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
      return (await pool.query(text, values)).rows as Row[]
    },
    [Symbol.asyncDispose]: () => pool.end(),
  }
}
