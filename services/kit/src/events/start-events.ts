import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { AfterCommit } from '../db/after-commit.js'
import type { Database } from '../db/resolve-database.js'
import { Lifecycle } from '../lifecycle/lifecycle.js'
import { startPeriodic } from '../lifecycle/periodic.js'
import type { Tracing } from '../scope/span.js'
import type { Kit } from '../service/service.js'
import { createConcurrencyLimit } from '../timing/concurrency-limit.js'
import { WakeSignal } from '../timing/wake-signal.js'
import { createRelayNotifier, type RelayNotifier } from './announce.js'
import { type Bus, consumerInactivityMaxMs, type Group } from './bus/port.js'
import { createDelivery, type DeliverOptions } from './deliver.js'
import type { AnyEventKind, Consumer, EventRecord } from './event.js'
import { startLeases, type Task } from './leases.js'
import { rotatePartitions } from './partitions.js'
import { type Publish, publishFor } from './publish.js'
import { runRelay } from './relay.js'
import { runRetries } from './retry.js'
import type { EventSettings } from './settings.js'
import { shardCount } from './shard.js'

export type EventsOptions<Ctx> = Pick<Kit<unknown>, 'db' | 'log' | 'transact' | 'write'> & {
  service: string
  publishes: AnyEventKind[]
  consumers: Consumer<Ctx>[]
  /** Used by the relay. */
  pool: pg.Pool
  /** Used for the leases of this process. */
  database: Database
  bus: Bus
  settings: EventSettings
  /** Registers a callback for after the commit of a transaction of `transact`. */
  afterCommit: AfterCommit['register']
  tracing?: Tracing | undefined
}

export type Events<Ctx> = {
  /** Wakes the relay after the commit. */
  publish: Publish
  wakeRelay(): void
  /** Starts relay and consumers. Disposal finishes the events in progress. */
  start(ctx: Ctx): Promise<AsyncDisposable>
}

const housekeepingMs = 3_600_000
const dayMs = 86_400_000
const retryMs = 1000

/** The events of one service in one process. */
export function createEvents<Ctx>(options: EventsOptions<Ctx>): Events<Ctx> {
  const { service, publishes, bus, afterCommit } = options
  const wakeSignal = new WakeSignal()
  const notifier = createRelayNotifier(bus, service, wakeSignal)
  return {
    publish: publishFor(service, publishes, (tx) => afterCommit(tx, notifier.wakeRelay)),
    wakeRelay: notifier.wakeRelay,
    async start(ctx) {
      const lifecycle = new Lifecycle()
      try {
        await start(options, ctx, wakeSignal, notifier, lifecycle)
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
  wakeSignal: WakeSignal,
  notifier: RelayNotifier,
  lifecycle: Lifecycle,
) {
  const { service, publishes, consumers, database, log } = options
  lifecycle.onStop(() => notifier[Symbol.dispose]())
  const housekeeping = await startHousekeeping(options)
  lifecycle.onStop(() => housekeeping[Symbol.asyncDispose]())

  const tasks = new Map<string, Task[]>()
  if (publishes.length > 0) {
    const listening = await notifier.listen()
    lifecycle.onStop(() => listening[Symbol.asyncDispose]())
    const relay = { ...options, wakeSignal }
    tasks.set(`${service} relay`, [(signal) => notifier.runRelay(() => runRelay(relay, signal))])
  }
  const gate = createConcurrencyLimit(options.settings.concurrency)
  for (const consumer of consumers) {
    const parkedSignal = new WakeSignal()
    const delivery = deliveryOf(options, ctx, consumer, parkedSignal)
    const retries = startTask((signal) => runRetries(delivery, parkedSignal, gate, signal))
    lifecycle.onStop(() => retries[Symbol.asyncDispose]())
    const handle = createDelivery(delivery, gate)
    const shards = Array.from({ length: shardCount }, (_, shard) =>
      receiveTask(options, consumer, shard, handle),
    )
    tasks.set(groupOf(service, consumer).name, shards)
  }
  const leases = startLeases({ database, work: tasks, log })
  lifecycle.onStop(() => leases[Symbol.asyncDispose]())
}

async function startHousekeeping<Ctx>(options: EventsOptions<Ctx>): Promise<AsyncDisposable> {
  const { service, consumers, db, bus, settings, log } = options
  const sentMs = settings.retentionMs
  const retention = { sentMs, inboxMs: Math.max(sentMs, consumerInactivityMaxMs) + dayMs }
  const run = async () => {
    await rotatePartitions(db, retention)
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
  { db, log, settings, transact, write, afterCommit, tracing }: EventsOptions<Ctx>,
  ctx: Ctx,
  consumer: Consumer<Ctx>,
  parkedSignal: WakeSignal,
): DeliverOptions<Ctx> & { attemptsMax: number } {
  const { timeoutMs, attemptsMax } = settings
  const parked = () => parkedSignal.notify()
  const handling = { ctx, consumer, timeoutMs, afterCommit, tracing }
  return { ...handling, attemptsMax, db, transact, write, log, backoff: settings, parked }
}

/** Receives one shard, with retries if the bus fails. */
function receiveTask<Ctx>(
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
