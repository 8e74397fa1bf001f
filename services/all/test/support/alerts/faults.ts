import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { runCommand } from '../command.js'
import { until } from '../launched.js'
import type { WatchedProduct } from './product.js'

export type Fault = {
  /** What fires, and nothing else. */
  alerts: string[]
  /** The returned function ends the fault. */
  begin(product: WatchedProduct): Promise<() => Promise<unknown>>
}

const commentsOf = ({ figure }: WatchedProduct) => `comment/?target_type=figure&target_id=${figure}`

const comment = (product: WatchedProduct, content: string) =>
  product.author.json('POST', 'comment/', {
    target_type: 'figure',
    target_id: product.figure,
    content,
  })

/** The faults that the alerts are for. */
export const faults: Record<string, Fault> = {
  'PostgreSQL is stopped': {
    alerts: ['FigbaseErrors', 'FigbaseServerUnavailable'],
    async begin(product) {
      const stopLoad = product.load(2, `figure/${product.figure}/`)
      await product.postgres.stop()
      return async () => {
        await product.postgres.start()
        await stopLoad()
      }
    },
  },
  'a table is missing': {
    alerts: ['FigbaseErrors'],
    async begin(product) {
      await product.sql('alter table comments.comment rename to lost')
      const stopLoad = product.load(2, commentsOf(product))
      return async () => {
        await stopLoad()
        await product.sql('alter table comments.lost rename to comment')
      }
    },
  },
  'reads are slow': {
    alerts: ['FigbaseSlow'],
    async begin(product) {
      await comment(product, 'read slowly')
      await product.sql(`
        alter table comments.comment rename to slow;
        create view comments.comment as
          select slow.* from comments.slow, lateral (select pg_sleep(6), slow.id) as slept`)
      const stopLoad = product.slowLoad(8, commentsOf(product))
      return async () => {
        await stopLoad()
        await product.sql('drop view comments.comment; alter table comments.slow rename to comment')
      }
    },
  },
  'Redis is stopped': {
    alerts: ['FigbaseServerUnavailable'],
    async begin({ redis }) {
      await redis.stop()
      return () => redis.start()
    },
  },
  'a transaction locks a table that requests read': {
    alerts: ['FigbaseDatabasePoolExhausted'],
    async begin(product) {
      const unlock = await inTransaction(product, 'lock comments.comment in access exclusive mode')
      const stopLoad = product.load(25, commentsOf(product))
      return async () => {
        await unlock()
        await stopLoad()
      }
    },
  },
  'the event bus is locked': {
    alerts: ['FigbaseEventsDelayed'],
    async begin(product) {
      const unlock = await inTransaction(product, 'lock bus.delivery in exclusive mode')
      await comment(product, 'an event')
      return unlock
    },
  },
  'no process claims jobs': {
    alerts: ['FigbaseJobsDelayed'],
    async begin(product) {
      // The lock of each claim.
      const unlock = await inTransaction(
        product,
        `select pg_advisory_xact_lock(hashtext('figbase jobs'), hashtext('tasks'))`,
      )
      await product.sql(enqueue(1, 3, '40 s'))
      return unlock
    },
  },
  'a consumer fails in every attempt': {
    alerts: ['FigbaseDeadLettersOrJobs'],
    async begin(product) {
      const { databaseUrl, dataDir } = product
      await product.sql(
        'alter table catalog.activity add constraint broken check (false) not valid',
      )
      await comment(product, 'logged later')
      return async () => {
        await product.sql('alter table catalog.activity drop constraint broken')
        const env = { DATABASE_URL: databaseUrl }
        const { code, output } = await runCommand(dataDir, ['dead-letters', 'replay', '--all'], env)
        assert.equal(code, 0, output)
      }
    },
  },
  'jobs fail in every attempt': {
    alerts: ['FigbaseDeadLettersOrJobs'],
    async begin(product) {
      await product.sql(enqueue(12, 1, '0 s'))
      return async () => {}
    },
  },
  'code blocks the event loop': {
    alerts: ['FigbaseEventLoopBlocked'],
    async begin(product) {
      const block = () => product.current().child.kill('SIGUSR2')
      block()
      const timer = setInterval(block, 1700)
      return async () => clearInterval(timer)
    },
  },
  'a backup fails': {
    alerts: ['FigbaseCronJobFailed'],
    async begin({ backup }) {
      backup.scheduledOn += 60
      return async () => {
        backup.succeededOn = backup.scheduledOn + 10
      }
    },
  },
  'the only process of a service ends': {
    alerts: ['FigbaseMetricsMissing'],
    async begin({ search, prometheus }) {
      await until(
        async () => (await prometheus.query(`${reported} offset 1m`)) !== undefined,
        'its metrics of a minute ago',
      )
      await search.stop()
      return search.start
    },
  },
  'all processes are killed': {
    alerts: ['FigbaseMetricsMissing'],
    async begin({ search, kill, start }) {
      await search.stop()
      await kill()
      return async () => {
        await search.start()
        await start()
      }
    },
  },
}

const reported = 'figbase_event_loop_delay_seconds_count{job="search"}'

/** Jobs that fail: their time is none. */
const enqueue = (count: number, attempts: number, age: string) => `
  set search_path to tasks;
  select enqueue_job('send-digest', null, '{"username":"ada","at":"none"}', null, 0,
                     now() - interval '${age}', ${attempts})
    from generate_series(1, ${count})`

/** Runs a statement in a transaction, which stays open until the returned function is called. */
async function inTransaction({ databaseUrl }: WatchedProduct, text: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query(text)
  return () => client.end()
}

/** Causes a fault, and checks that its alerts fire, no others, and that they resolve. Returns both times in seconds. */
export async function checkFault(product: WatchedProduct, { alerts, begin }: Fault) {
  const { prometheus } = product
  const started = performance.now()
  const seen = new Set<string>()
  const end = await begin(product)
  try {
    await until(
      async () => {
        const firing = await prometheus.firing()
        for (const name of firing) seen.add(name)
        await sleep(200)
        return alerts.every((name) => firing.includes(name))
      },
      `${alerts} to fire; seen: ${[...seen]}`,
    )
  } finally {
    await end()
  }
  const fired = performance.now()
  await until(async () => {
    const firing = await prometheus.firing()
    for (const name of firing) seen.add(name)
    await sleep(200)
    return firing.length === 0
  }, `${alerts} to resolve`)
  assert.deepEqual([...seen].sort(), alerts)
  const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(0)
  return `fires after ${seconds(started, fired)} s, resolves after ${seconds(fired, performance.now())} s`
}
