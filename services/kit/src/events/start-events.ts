import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { AfterCommit } from '../db/after-commit.js'
import type { Database } from '../db/reach.js'
import { Lifecycle } from '../lifecycle.js'
import { startPeriodic } from '../periodic.js'
import type { Kit } from '../service.js'
import type { Tracing } from '../tracing/span.js'
import { type Announcer, createAnnouncer } from './announce.js'
import { Bell } from './bell.js'
import { awayMaxMs, type Bus, type Group } from './bus/port.js'
import { createDelivery, type DeliverOptions } from './deliver.js'
import type { AnyEventKind, Consumer, EventRecord } from './event.js'
import { createGate } from './gate.js'
import { startLeases, type Task } from './leases.js'
import { turnPartitions } from './partitions.js'
import { type Publish, publishFor } from './publish.js'
import { runRelay } from './relay.js'
import { runRetries } from './retry.js'
import type { EventSettings } from './settings.js'
import { shardCount } from './shard.js'

export type EventsOptions<Ctx> = Pick<Kit<unknown>, 'db' | 'log' | 'transact'> & {
  service: string
  publishes: AnyEventKind[]
  consumers: Consumer<Ctx>[]
  /** For the relay. */
  pool: pg.Pool
  /** For the locks of this process. */
  database: Database
  bus: Bus
  settings: EventSettings
  /** Does what is to be done when a transaction of `transact` is committed. */
  later: AfterCommit['later']
  tracing?: Tracing | undefined
}

export type Events<Ctx> = {
  /** When the transaction is committed, the relay looks at once. */
  publish: Publish
  /** Tells the relay that something was published. */
  announce(): void
  /** Begins to relay and to handle; when disposed, what it has begun is finished. */
  start(ctx: Ctx): Promise<AsyncDisposable>
}

const housekeepingMs = 3_600_000
const dayMs = 86_400_000
const retryMs = 1000

/** The events of one service in one process. */
export function createEvents<Ctx>(options: EventsOptions<Ctx>): Events<Ctx> {
  const { service, publishes, bus, later } = options
  const bell = new Bell()
  const announcer = createAnnouncer(bus, service, bell)
  return {
    publish: publishFor(service, publishes, (tx) => later(tx, announcer.announce)),
    announce: announcer.announce,
    async start(ctx) {
      const lifecycle = new Lifecycle()
      try {
        await start(options, ctx, bell, announcer, lifecycle)
      } catch (error) {
        await lifecycle[Symbol.asyncDispose]()
        throw error
      }
      return { [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose]() }
    },
  }
}

async function start<Ctx>(
  options: EventsOptions<Ctx>,
  ctx: Ctx,
  bell: Bell,
  announcer: Announcer,
  lifecycle: Lifecycle,
) {
  const { service, publishes, consumers, database, log } = options
  lifecycle.onStop(() => announcer[Symbol.dispose]())
  const keeping = await startHousekeeping(options)
  lifecycle.onStop(() => keeping[Symbol.asyncDispose]())

  const work = new Map<string, Task[]>()
  if (publishes.length > 0) {
    const hearing = await announcer.listen()
    lifecycle.onStop(() => hearing[Symbol.asyncDispose]())
    const relay = { ...options, bell }
    work.set(`${service} relay`, [(signal) => announcer.relaying(() => runRelay(relay, signal))])
  }
  const gate = createGate(options.settings.concurrency)
  for (const consumer of consumers) {
    const parkedBell = new Bell()
    const delivery = deliveryOf(options, ctx, consumer, parkedBell)
    const retries = startTask((signal) => runRetries(delivery, parkedBell, gate, signal))
    lifecycle.onStop(() => retries[Symbol.asyncDispose]())
    const handle = createDelivery(delivery, gate)
    const shards = Array.from({ length: shardCount }, (_, shard) =>
      receiving(options, consumer, shard, handle),
    )
    work.set(groupOf(service, consumer).name, shards)
  }
  const leases = startLeases({ database, work, log })
  lifecycle.onStop(() => leases[Symbol.asyncDispose]())
}

async function startHousekeeping<Ctx>(options: EventsOptions<Ctx>): Promise<AsyncDisposable> {
  const { service, consumers, db, bus, settings, log } = options
  const sentMs = settings.retentionMs
  const retention = { sentMs, inboxMs: Math.max(sentMs, awayMaxMs) + dayMs }
  const run = async () => {
    await turnPartitions(db, retention)
    for (const consumer of consumers) await bus.subscribe(groupOf(service, consumer))
  }
  await run()
  return startPeriodic({ name: 'event-housekeeping', everyMs: housekeepingMs, run }, {}, log)
}

const groupOf = <Ctx>(service: string, { name, handlers }: Consumer<Ctx>): Group => ({
  name: `${service}.${name}`,
  events: handlers.map((handler) => handler.event.name),
})

function deliveryOf<Ctx>(
  { db, log, settings, transact, tracing }: EventsOptions<Ctx>,
  ctx: Ctx,
  consumer: Consumer<Ctx>,
  parkedBell: Bell,
): DeliverOptions<Ctx> & { attemptsMax: number } {
  const { timeoutMs, attemptsMax } = settings
  const parked = () => parkedBell.ring()
  const handling = { ctx, consumer, timeoutMs, tracing }
  return { ...handling, attemptsMax, db, transact, log, backoff: settings, parked }
}

/** Receives one shard, again and again where the bus fails. */
function receiving<Ctx>(
  { service, bus, log }: EventsOptions<Ctx>,
  consumer: Consumer<Ctx>,
  shard: number,
  handle: (events: EventRecord[]) => Promise<void>,
): Task {
  const group = groupOf(service, consumer)
  return async (signal) => {
    while (!signal.aborted) {
      try {
        await bus.receive(group, shard, signal, handle)
      } catch (err) {
        if (signal.aborted) return
        log.warn({ err, consumer: consumer.name, shard }, 'receiving events failed')
        await sleep(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }
}

function startTask(task: Task): AsyncDisposable {
  const stopping = new AbortController()
  const ended = task(stopping.signal)
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await ended
    },
  }
}
