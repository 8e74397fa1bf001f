import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startGateway } from '@figbase/gateway'
import { createFileSystemStore, type ObjectStore } from '@figbase/kit/objects'
import { openOperations } from '@figbase/kit/operations'
import { compose, Lifecycle } from '@figbase/kit/service'
import { parseExposition } from '@figbase/kit/testing'
import pg from 'pg'
import { services } from '../../../src/all-in-one.js'
import { until } from '../launched.js'
import { type LoggedPostgres, type Statement, startLoggedPostgres } from './statement-log.js'

const application = 'budgets'

/** Monotonic counters. */
export type Counters = { calls: number; events: number; objects: number }

export type CountedProduct = AsyncDisposable & {
  url: string
  read: LoggedPostgres['read']
  counters(): Promise<Counters>
  /** Resolves when all events and jobs are handled, including those that they cause. */
  settled(): Promise<void>
}

/** The product in this process, with a PostgreSQL that logs statements and an object store that counts calls. */
export async function startCountedProduct(): Promise<CountedProduct> {
  const lifecycle = new Lifecycle()
  const dir = await mkdtemp(join(tmpdir(), 'figbase-budgets-'))
  lifecycle.onStop(() => rm(dir, { recursive: true, force: true }))
  const postgres = await startLoggedPostgres(dir, application)
  lifecycle.onStop(() => postgres[Symbol.asyncDispose]())
  const probe = new pg.Client({
    connectionString: postgres.databaseUrl,
    application_name: application,
  })
  await probe.connect()
  lifecycle.onStop(() => probe.end())

  const env = {
    DATABASE_URL: postgres.databaseUrl,
    FIGBASE_SECRET_KEY: 'a secret of the tests',
    ADMIN_PASSWORD_FILE: join(dir, 'admin-password'),
    MAIL_DIR: join(dir, 'mail'),
    LOG_LEVEL: 'error',
    EMBEDDER: 'none',
    OCR_ENABLED: 'false',
    PORT: '0',
  }
  const store = counting(createFileSystemStore(join(dir, 'objects')))
  const operations = await openOperations({ host: '127.0.0.1', port: 0, timeoutMs: 5000 })
  lifecycle.onStop(() => operations?.[Symbol.asyncDispose]())
  const composition = await compose(services, {
    env,
    objects: store.objects,
    operations,
    isolate: false,
  })
  lifecycle.onStop(() => composition[Symbol.asyncDispose]())
  const { transportTo, checks } = composition
  const gateway = await startGateway({ env, transportTo, checks, operations })
  lifecycle.onStop(() => gateway[Symbol.asyncDispose]())

  const numberOf = async (sql: string) => {
    const { rows } = await probe.query<{ count: number }>(sql)
    return rows[0]?.count ?? 0
  }
  // Without stories-ai: its job runs later, and has nothing to do.
  const schemas = ['identity', 'catalog', 'revisions', 'comments', 'tasks']
  const publishers = ['catalog', 'revisions', 'comments', '"stories-ai"']
  const countIn = (tables: string[]) =>
    `select (${tables.map((table) => `(select count(*) from ${table})`).join(' + ')})::int as count`
  const waiting = countIn([
    'bus.delivery',
    ...publishers.map((schema) => `${schema}.outbox`),
    ...schemas
      .filter((schema) => schema !== 'tasks')
      .map((schema) => `${schema}.job where state in ('waiting', 'running')`),
  ])
  const isIdle = async () => (await numberOf(waiting)) === 0
  return {
    url: gateway.url,
    read: postgres.read,
    async counters() {
      const metrics = await fetch(`http://127.0.0.1:${operations?.port}/metrics`)
      const calls = parseExposition(await metrics.text()).get('figbase_rpc_calls_total')
      const published = publishers.map(
        (schema) => `pg_get_serial_sequence('${schema}.outbox', 'seq')`,
      )
      return {
        // One page in each second reads the settings of the site.
        calls: (calls?.samples ?? [])
          .filter(({ labels }) => labels.method !== 'GetPublicSettings')
          .reduce((sum, { value }) => sum + value, 0),
        events: await numberOf(
          `select sum(coalesce(pg_sequence_last_value(name::regclass), 0))::int as count
             from unnest(array[${published.join()}]) name`,
        ),
        objects: store.calls(),
      }
    },
    async settled() {
      await until(isIdle, 'events and jobs')
      await sleep(150)
      await until(isIdle, 'events and jobs')
    },
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}

function counting(store: ObjectStore): { objects: ObjectStore; calls(): number } {
  let calls = 0
  return {
    calls: () => calls,
    objects: {
      put(key, bytes) {
        calls++
        return store.put(key, bytes)
      },
      get(key, range) {
        calls++
        return store.get(key, range)
      },
      delete(keys) {
        calls++
        return store.delete(keys)
      },
      list(prefix) {
        calls++
        return store.list(prefix)
      },
      sweep: () => store.sweep(),
    },
  }
}

export type { Statement }
