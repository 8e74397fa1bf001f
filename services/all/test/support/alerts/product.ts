import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@figbase/kit/net'
import { openOperations } from '@figbase/kit/operations'
import { Lifecycle } from '@figbase/kit/service'
import {
  createTestDatabase,
  type PostgresServer,
  postgres15SkipReason,
  type RedisServer,
  redisSkipReason,
  startPostgresServer,
  startRedisServer,
} from '@figbase/kit/testing'
import pg from 'pg'
import { Author, program } from '../author.js'
import { namespace } from '../chart/helm.js'
import { Bench, type Launched } from '../launched.js'
import { type Prometheus, prometheusSkipReason, startPrometheus } from './prometheus.js'
import { shortenedRules } from './rules.js'

const preload = new URL('block-event-loop.js', import.meta.url).href

/** All of Figbase in one process, with Prometheus and the rules of the chart in a shorter time. */
export type WatchedProduct = AsyncDisposable & {
  prometheus: Prometheus
  dataDir: string
  postgres: PostgresServer
  redis: RedisServer
  databaseUrl: string
  author: Author
  figure: string
  /** The process of the service `search`, but only with the metrics of every process. */
  search: { start(): Promise<void>; stop(): Promise<void> }
  /** What kube-state-metrics reports of the CronJob of the backup. */
  backup: { scheduledOn: number; succeededOn: number }
  current(): Launched
  start(): Promise<void>
  kill(): Promise<void>
  sql(text: string): Promise<void>
  /** Sends GET requests, one after the other in each of `count` workers, until the returned function is called. */
  load(count: number, ...paths: string[]): () => Promise<void>
  /** The same with a path whose responses take seconds: the workers begin one after the other. */
  slowLoad(count: number, path: string): () => Promise<void>
}

/** Why tests with it are skipped; false if everything is installed. */
export const watchedSkipReason = () =>
  prometheusSkipReason() || redisSkipReason() || postgres15SkipReason()

export async function startWatchedProduct(): Promise<WatchedProduct> {
  const lifecycle = new Lifecycle()
  try {
    return await open(lifecycle)
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

async function open(lifecycle: Lifecycle): Promise<WatchedProduct> {
  const keep = <T extends AsyncDisposable>(one: T) => {
    lifecycle.onStop(() => one[Symbol.asyncDispose]())
    return one
  }
  const postgres = keep(await startPostgresServer())
  const database = await createTestDatabase(postgres.url)
  const redis = keep(await startRedisServer())
  const bench = keep(new Bench(program))
  const dataDir = await bench.dir()
  const [operationsPort, searchPort] = [await freePort(), await freePort()]
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    OPERATIONS_PORT: String(operationsPort),
    LOG_LEVEL: 'fatal',
    EVENT_ATTEMPTS_MAX: '2',
    EVENT_RETRY_DELAY_MIN: '10ms',
    NODE_OPTIONS: `--import=${preload}`,
  }
  let launched = await bench.start({ dataDir, env })
  const author = new Author(launched)
  await author.signUp()
  const figure = await author.newFigure()

  const now = Date.now() / 1000
  const backup = { scheduledOn: now, succeededOn: now }
  const kubeState = keep(await startKubeState(backup))
  const settings = { host: '127.0.0.1', port: searchPort, timeoutMs: 1000 }
  let operations = await openOperations(settings)
  const search = {
    async start() {
      operations = await openOperations(settings)
    },
    async stop() {
      await operations?.[Symbol.asyncDispose]()
      operations = undefined
    },
  }
  lifecycle.onStop(search.stop)

  const target = (port: number, job: string) => ({ port, labels: { namespace, job, pod: job } })
  const prometheus = keep(
    await startPrometheus(
      [target(operationsPort, 'all'), target(searchPort, 'search'), target(kubeState.port, 'kube')],
      shortenedRules(),
    ),
  )
  return {
    prometheus,
    dataDir,
    postgres,
    redis,
    databaseUrl: database.url,
    author,
    figure,
    search,
    backup,
    current: () => launched,
    async start() {
      launched = await bench.start({ dataDir, env })
      author.launched = launched
    },
    async kill() {
      launched.child.kill('SIGKILL')
      await launched.ended
    },
    async sql(text) {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      try {
        await client.query(text)
      } finally {
        await client.end()
      }
    },
    load: (count, ...paths) => sendRequests(author, { count, paths, staggerMs: 100 }),
    slowLoad: (count, path) => sendRequests(author, { count, paths: [path], staggerMs: 800 }),
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}

type Load = { count: number; paths: string[]; staggerMs: number }

function sendRequests(author: Author, { count, paths, staggerMs }: Load) {
  let isOver = false
  const work = async (at: number) => {
    await sleep(at * staggerMs)
    while (!isOver) {
      for (const path of paths) {
        await author.request('GET', path).then(
          (response) => response.arrayBuffer(),
          () => {},
        )
      }
      await sleep(100)
    }
  }
  const running = Array.from({ length: count }, (_, at) => work(at))
  return async () => {
    isOver = true
    await Promise.all(running)
  }
}

/** Stands in for kube-state-metrics. */
async function startKubeState(backup: WatchedProduct['backup']) {
  const labels = `{namespace="${namespace}",cronjob="figbase-backup"}`
  const server = createServer((_, response) => {
    response.end(
      `kube_cronjob_status_last_schedule_time${labels} ${backup.scheduledOn}\n` +
        `kube_cronjob_status_last_successful_time${labels} ${backup.succeededOn}\n`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
