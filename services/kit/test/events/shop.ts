import { type EnumValue, EnumValueSchema } from '@bufbuild/protobuf/wkt'
import { sql, type Transaction } from 'kysely'
import {
  batchHandler,
  defineBatchConsumer,
  defineConsumer,
  defineEvent,
  on,
} from '../../src/events/index.js'
import { createFileSystemStore } from '../../src/objects/file-system.js'
import { defineService, type Kit } from '../../src/service/index.js'
import { startService } from '../../src/service/start-service.js'

type Tables = { effect: { seq: bigint; consumer: string; key: string; n: number } }
type Ctx = Kit<Tables>

/** The `number`th event of `name`. */
export const happened = defineEvent({
  name: 'shop.thing.happened.v1',
  schema: EnumValueSchema,
  key: (payload) => payload.name,
})

/** Another kind of event with the same keys. */
export const ended = defineEvent({
  name: 'shop.thing.ended.v1',
  schema: EnumValueSchema,
  key: (payload) => payload.name,
})

export type Handler = (payload: EnumValue, signal: AbortSignal, attempt: number) => unknown

/** `isWritten` is called after each write. */
export type Collector = { look?: (payload: EnumValue) => unknown; isWritten?: () => void }

export type ShopOptions = {
  databaseUrl: string
  natsUrl?: string
  /** Handlers by consumer name; without any, the service only publishes. */
  consumers?: Record<string, Handler>
  /** Batch consumers by name. */
  collecting?: Record<string, Collector>
  env?: Record<string, string>
}

export type Shop = AsyncDisposable & {
  kit: Ctx
  publish(key: string, n: number): Promise<void>
}

/** A process of a service that publishes events and writes a row per handled event. */
export async function startShop(options: ShopOptions): Promise<Shop> {
  const { databaseUrl, natsUrl = '', consumers = {}, collecting = {}, env = {} } = options
  let kit: Ctx | undefined
  const service = defineService<object, Tables, Ctx>({
    name: 'shop',
    config: () => ({}),
    migrations: [
      {
        name: '0001-effect',
        sql: `create table effect (seq bigint generated always as identity, consumer text not null,
              key text not null, n int not null)`,
      },
    ],
    context: (given) => {
      kit = given
      return given
    },
    routes: () => () => {},
    publishes: [happened, ended],
    consumers: [
      ...Object.entries(consumers).map(([name, handler]) => consumerOf(name, handler)),
      ...Object.entries(collecting).map(([name, collector]) => collectingOf(name, collector)),
    ],
  })
  const started = await startService(service, {
    env: {
      DATABASE_URL: databaseUrl,
      NATS_URL: natsUrl,
      FIGBASE_SECRET_KEY: 'a secret of the tests',
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
      EVENT_RETRY_DELAY_MIN: '50ms',
      ...env,
    },
    objects: createFileSystemStore(''),
    transportTo: () => {
      throw new Error('it has no neighbours')
    },
  })
  await started.work()
  if (!kit) throw new Error('the service has no context')
  const { transact, publish } = kit
  return {
    kit,
    publish: (name, number) => transact((tx) => publish(tx, happened, { name, number })),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}

function consumerOf(consumer: string, handler: Handler) {
  const attempts = new Map<string, number>()
  const run = async (
    _: Ctx,
    tx: Transaction<Tables>,
    { id, payload }: { id: string; payload: EnumValue },
    signal: AbortSignal,
  ) => {
    const attempt = (attempts.get(id) ?? 0) + 1
    attempts.set(id, attempt)
    await sql`insert into effect (consumer, key, n)
      values (${consumer}, ${payload.name}, ${payload.number})`.execute(tx)
    await handler(payload, signal, attempt)
  }
  return defineConsumer<Ctx>({ name: consumer, handlers: [on(happened, run), on(ended, run)] })
}

function collectingOf(name: string, { look, isWritten = () => {} }: Collector) {
  const rowOf = ({ payload }: { payload: EnumValue }) => {
    look?.(payload)
    return { key: payload.name, n: payload.number }
  }
  return defineBatchConsumer<Ctx>({
    name,
    handlers: [batchHandler(happened, rowOf), batchHandler(ended, () => undefined)],
    effect: `insert into effect (consumer, key, n)
      select '${name}', item ->> 'key', (item ->> 'n')::int from collected order by place`,
    onWritten: isWritten,
  })
}
