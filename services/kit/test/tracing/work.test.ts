import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EnumValueSchema } from '@bufbuild/protobuf/wkt'
import { sql, type Transaction } from 'kysely'
import { statement } from '../../src/db/index.js'
import { defineConsumer, defineEvent, on, publishSql } from '../../src/events/index.js'
import { defineJob, enqueueSql } from '../../src/jobs/index.js'
import { createFileSystemStore } from '../../src/objects/file-system.js'
import { defineService, type Kit, type Service } from '../../src/service/index.js'
import { startService } from '../../src/service/start-service.js'
import {
  type CollectedSpan,
  createTestDatabase,
  natsSkipReason,
  startCollector,
  startNatsServer,
} from '../../src/testing/index.js'
import { inScope } from '../../src/tracing/index.js'
import { traceTo } from './open.js'

type Ctx = Kit<object>
type Tx = Transaction<object>

const happened = defineEvent({
  name: 'shop.thing.happened.v1',
  schema: EnumValueSchema,
  key: ({ name }) => name,
})

const run = async (ctx: Ctx) => {
  await sql`select count(*) from thing`.execute(ctx.db)
}
const count = defineJob<Ctx, object>({ name: 'count', attemptsMax: 1, timeoutMs: 9000, run })
const recount = defineJob<Ctx, object>({ ...count, name: 'recount' })

const enqueuedByStatement = statement(
  `select ${enqueueSql(recount, { key: 'null', payload: '$1', workspaceId: 'null' })}`,
)

const note = defineConsumer<Ctx>({
  name: 'note',
  handlers: [
    on(happened, async (ctx: Ctx, tx: Tx) => {
      await ctx.enqueue(tx, count, {})
      await enqueuedByStatement(tx, '{}')
      ctx.wakeJobs(tx)
    }),
  ],
})

const madeAndPublished = statement(`
  with made as (insert into thing (name) values ($2) returning name)
  ${publishSql(happened, {
    id: '$1',
    key: 'm.name',
    actor: "''",
    requestId: '$3',
    payload: { name: 'm.name' },
    from: 'made m',
  })}`)

const shop = (made: (kit: Ctx) => void): Service =>
  defineService<object, object, Ctx>({
    name: 'shop',
    config: () => ({}),
    migrations: [{ name: '0001-thing', sql: 'create table thing (name text not null)' }],
    context: (kit) => {
      made(kit)
      return kit
    },
    routes: () => () => {},
    publishes: [happened],
    consumers: [note],
    jobs: [count, recount],
  })

const missing = natsSkipReason()
const buses = [
  ['PostgreSQL', false, async () => undefined],
  ['NATS', missing, () => startNatsServer()],
] as const

for (const [name, skip, startBus] of buses) {
  test(`${name}: an event and its jobs continue the trace of the request`, {
    skip,
  }, async () => {
    await using bus = await startBus()
    await using database = await createTestDatabase()
    await using collector = await startCollector()
    await using tracing = await traceTo(collector.url)
    let made: Ctx | undefined
    const service = shop((kit) => {
      made = kit
    })
    await using started = await startService(service, {
      env: {
        DATABASE_URL: database.url,
        NATS_URL: bus?.url ?? '',
        FIGBASE_SECRET_KEY: 'a secret of the tests',
        LOG_LEVEL: 'silent',
      },
      objects: createFileSystemStore(''),
      transportTo: () => {
        throw new Error('it has no peers')
      },
      tracing,
    })
    await started.work()
    assert.ok(made)
    const { transact, write, publish, newOrderedId } = made
    const span = tracing.begin('request', 'server', {})
    await inScope({ requestId: 'r-1', span }, async () => {
      await transact((tx) => publish(tx, happened, { name: 'sold', number: 1 }))
      const values = [newOrderedId(), 's3cret', 'r-1']
      await write((db) => madeAndPublished(db, ...values), { publishes: true })
    })
    span.end()
    const jobs = await collector.waitFor(({ name }) => /^job /.test(name), 4)
    const of = (parentId: string) => collector.spans.filter((one) => one.parentId === parentId)
    const names = (spans: CollectedSpan[]) => spans.map(({ name }) => name).sort()
    await collector.waitFor(({ name }) => name === 'request')
    assert.deepEqual(names(of(span.spanId)), [
      'insert thing, insert outbox',
      'process shop.thing.happened.v1',
      'transaction',
    ])
    const [transaction] = of(span.spanId).filter(({ name }) => name === 'transaction')
    assert.deepEqual(names(of(transaction?.spanId ?? '')), [
      'begin',
      'commit',
      'insert outbox',
      'process shop.thing.happened.v1',
    ])
    const handled = await collector.waitFor(({ name }) => /^process /.test(name), 2)
    for (const { spanId } of handled) {
      const below = of(spanId).filter(({ name }) => name.startsWith('job '))
      assert.deepEqual(names(below), ['job count', 'job recount'])
    }
    for (const { spanId } of jobs) assert.ok(names(of(spanId)).includes('select thing'))
    assert.ok(collector.spans.every(({ traceId }) => traceId === span.traceId))
    assert.ok(!collector.bytes.some((bytes) => bytes.includes('s3cret')))
  })
}
