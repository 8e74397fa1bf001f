import { type EnumValue, EnumValueSchema } from '@bufbuild/protobuf/wkt'
import { sql, type Transaction } from 'kysely'
import { defineConsumer, defineEvent, defineService, type Kit, on } from '../../src/index.js'
import { createFileSystemStore } from '../../src/ports/objects/file-system.js'
import { startService } from '../../src/start-service.js'

type Tables = { effect: { seq: bigint; consumer: string; key: string; n: number } }
type Ctx = Kit<Tables>

/** Something happened to `name`, for the `number`th time. */
export const happened = defineEvent({
  name: 'shop.thing.happened.v1',
  schema: EnumValueSchema,
  key: (payload) => payload.name,
})

/** Of the same keys, and in the same order. */
export const ended = defineEvent({
  name: 'shop.thing.ended.v1',
  schema: EnumValueSchema,
  key: (payload) => payload.name,
})

export type Handler = (payload: EnumValue, signal: AbortSignal, attempt: number) => unknown

export type ShopOptions = {
  databaseUrl: string
  natsUrl?: string
  /** One consumer each, by name; without any it only publishes. */
  consumers?: Record<string, Handler>
  env?: Record<string, string>
}

export type Shop = AsyncDisposable & {
  kit: Ctx
  publish(key: string, n: number): Promise<void>
}

/** A process of a service that publishes, and writes a row for each event that it handles. */
export async function startShop(options: ShopOptions): Promise<Shop> {
  const { databaseUrl, natsUrl = '', consumers = {}, env = {} } = options
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
    consumers: Object.entries(consumers).map(([name, handler]) => consumerOf(name, handler)),
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
