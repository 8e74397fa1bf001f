import { StringValueSchema } from '@bufbuild/protobuf/wkt'
import { statement } from '@figbase/kit/db'
import { type Consumer, defineConsumer, defineEvent, on } from '@figbase/kit/events'
import { defineJob } from '@figbase/kit/jobs'
import { createFileSystemStore } from '@figbase/kit/objects'
import { compose, defineService, type Kit, type Service } from '@figbase/kit/service'
import type { Start } from './messages.js'

type Ctx = Kit<unknown>

/** A service that publishes and consumes, or enqueues and runs. */
export type BenchService = {
  /** Publishes or enqueues all in one transaction; resolves after the commit. */
  submit(numbers: number[]): Promise<void>
  /** The same transactions without events or jobs. */
  insert(n: number): Promise<void>
}

export type Observer = {
  /** Whether effects send a notification on the channel `bench_effect` when they commit. */
  notifiesEffects: boolean
  /** Called when an event has been handled or a job has started. */
  done(n: number): void
}

export const effectChannel = 'bench_effect'

const keys = 100
const filling = 'x'.repeat(120)
const workspaces = Array.from({ length: 10 }, () => crypto.randomUUID())
const notifyEffect = statement<never>(`select pg_notify('${effectChannel}', $1)`)
const inserted = statement<never>('insert into floor (message) values ($1::json)')

// The key, the number, and padding to the size of a typical event.
const textOf = (n: number) => `key-${n % keys} ${n} ${filling}`
const numberOf = (text: string) => Number(text.split(' ')[1])

const happened = defineEvent({
  name: 'bench.thing.happened.v1',
  schema: StringValueSchema,
  key: ({ value }) => value.slice(0, value.indexOf(' ')),
})

/** One service publishes events, and others with their own schemas handle them, as in the product. */
export async function startBenchServices(
  { databaseUrl, natsUrl, part, consumers, places }: Start,
  observer: Observer,
): Promise<BenchService> {
  let kit: Ctx | undefined
  const job = defineJob<Ctx, { text: string }>({
    name: 'nothing',
    attemptsMax: 25,
    timeoutMs: 60_000,
    run: async (_, { text }) => observer.done(numberOf(text)),
  })
  const context = (given: Ctx) => {
    kit = given
    return given
  }
  const common = { config: () => ({}), routes: () => () => {} }
  const bench: Service = defineService<object, unknown, Ctx>({
    ...common,
    name: 'bench',
    migrations: [{ name: '0001-floor', sql: floorTable }],
    context,
    ...(part === 'events' ? { publishes: [happened] } : { jobs: [job] }),
  })
  const readers = Array.from({ length: part === 'events' ? consumers : 0 }, (_, n) =>
    defineService<object, unknown, Ctx>({
      ...common,
      name: `reader_${n}`,
      migrations: [],
      context: (given) => given,
      consumers: [consumer(observer)],
    }),
  )
  await compose([...readers, bench], {
    env: {
      DATABASE_URL: databaseUrl,
      NATS_URL: natsUrl,
      FIGBASE_SECRET_KEY: 'a secret of the benchmark',
      LOG_LEVEL: 'warn',
      ...(places && { JOB_CONCURRENCY: `${places}` }),
    },
    objects: createFileSystemStore(''),
    isolate: false,
  })
  if (!kit) throw new Error('the service has no context')
  const { transact, publish, enqueue, newId } = kit
  const submitOne = async (tx: Parameters<typeof publish>[0], n: number) => {
    if (part === 'events') return publish(tx, happened, { value: textOf(n) })
    const options = { key: newId(), workspaceId: workspaces[n % workspaces.length] ?? '' }
    return enqueue(tx, job, { text: textOf(n) }, options)
  }
  return {
    submit: (numbers) =>
      transact(async (tx) => {
        for (const n of numbers) await submitOne(tx, n)
      }),
    insert: (n) =>
      transact(async (tx) => {
        await inserted(tx, JSON.stringify(textOf(n)))
      }),
  }
}

const floorTable = `create table floor (
  id bigint generated always as identity constraint floor_pkey primary key, message json not null)`

function consumer(observer: Observer): Consumer<Ctx> {
  const handler = on(happened, async (_: Ctx, tx, { payload }) => {
    const n = numberOf(payload.value)
    if (observer.notifiesEffects) await notifyEffect(tx, `${n}`)
    observer.done(n)
  })
  return defineConsumer<Ctx>({ name: 'read', handlers: [handler] })
}
