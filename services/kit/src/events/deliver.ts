import { setImmediate } from 'node:timers/promises'
import type { Kit } from '../service/service.js'
import type { ConcurrencyLimit } from '../timing/concurrency-limit.js'
import { type Backoff, delayAfter } from './backoff.js'
import { isBatchConsumer } from './batch-consumer.js'
import type { EventRecord } from './event.js'
import { errorText, type Handling, handleAll, rowsOf } from './handle.js'
import { entriesOf, insertIntoInbox } from './inbox.js'
import { insertParked, wakeHeads } from './parked.js'

export type DeliverOptions<Ctx> = Handling<Ctx> &
  Pick<Kit<unknown>, 'db' | 'transact' | 'write' | 'log'> & {
    backoff: Backoff
    /** Called after an event was parked, so that its retry is scheduled. */
    parked(): void
  }

// Target duration of a transaction shared by several events; the batch size adapts to it.
const targetMs = 100
const batchSizeMax = 100

/** Events of a shard, in order; there is one batch per shard at any time. */
type Batch = { events: EventRecord[]; resolve(): void; reject(error: unknown): void }

/**
 * Handles the events of a consumer, in order per shard. The effect of an event and its inbox entry are committed
 * together. Events of all shards share transactions as long as these are short: events that arrive during one wait
 * for the next. If a shared transaction fails, each event gets its own, and a failed event is parked together with
 * later events of its key; other keys continue. A batch consumer tries a single statement before the transaction.
 */
export function createDelivery<Ctx>(options: DeliverOptions<Ctx>, gate: ConcurrencyLimit) {
  let batchSize = 10
  const waiting: Batch[] = []
  let running = 0
  let timer: NodeJS.Timeout | undefined

  const next = () => {
    if (waiting.length === 0) return
    const count = waiting.reduce((sum, { events }) => sum + events.length, 0)
    if (running === 0 || count >= batchSize) startNext()
    else timer ??= setTimeout(startNext, targetMs)
  }
  const startNext = () => {
    clearTimeout(timer)
    timer = undefined
    running++
    void gate(async () => {
      // Let the other shards that were read together arrive first.
      await setImmediate()
      const batches = take()
      next()
      if (batches.length > 0) await deliver(batches)
    }).finally(() => {
      running--
      next()
    })
  }
  /** As many batches as fit into a transaction, at least one. */
  const take = () => {
    let count = 0
    const fitCount = waiting.findIndex(({ events }, index) => {
      count += events.length
      return index > 0 && count > batchSize
    })
    return waiting.splice(0, fitCount < 0 ? waiting.length : fitCount)
  }
  const deliver = async (batches: Batch[]) => {
    try {
      await deliverAll(batches.flatMap(({ events }) => events))
      for (const { resolve } of batches) resolve()
    } catch (error) {
      for (const { reject } of batches) reject(error)
    }
  }
  const deliverAll = async (events: EventRecord[]) => {
    for (let done = 0; done < events.length; ) {
      const some = events.slice(done, done + batchSize)
      const began = performance.now()
      try {
        if (!(await writeBatch(options, some))) await handleInTransaction(options, some)
        const tookMs = Math.max(1, performance.now() - began)
        const fitCount = Math.floor((some.length * targetMs) / tookMs)
        batchSize = Math.max(1, Math.min(fitCount, 2 * batchSize, batchSizeMax))
      } catch {
        for (const event of some) await handleOne(options, event)
      }
      done += some.length
    }
  }

  return (events: EventRecord[]): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ events, resolve, reject })
      next()
    })
}

/** Handles events with one statement. Returns false, without effect, if it failed or one must wait behind others. */
async function writeBatch<Ctx>(
  options: DeliverOptions<Ctx>,
  events: EventRecord[],
): Promise<boolean> {
  const { consumer, ctx, write } = options
  if (!isBatchConsumer(consumer)) return false
  // A batch may contain an event twice.
  const once = [...new Map(events.map((event) => [event.id, event])).values()]
  try {
    const rows = await rowsOf(options, consumer, once)
    const values = { ...entriesOf(consumer.name, once), rows }
    const [answer] = await write((db) => consumer.writeFresh(db, values))
    if (answer?.is_behind !== false) return false
    if (rows.some((row) => row !== null)) consumer.onWritten(ctx, answer.has_also_written)
    return true
  } catch {
    return false
  }
}

async function handleInTransaction<Ctx>(options: DeliverOptions<Ctx>, events: EventRecord[]) {
  const { consumer, db, transact } = options
  const behind = await transact(async (tx) => {
    const fresh = await insertIntoInbox(tx, consumer.name, events)
    const parked = fresh.filter(({ isBehindParked }) => isBehindParked).map(({ event }) => event)
    for (const event of parked) await insertParked(tx, consumer.name, event)
    const others = fresh.filter(({ isBehindParked }) => !isBehindParked).map(({ event }) => event)
    await handleAll(options, tx, others)
    return [...new Set(parked.map(({ key }) => key))]
  })
  if (behind.length > 0) await wakeHeads(db, consumer.name, behind)
}

async function handleOne<Ctx>(options: DeliverOptions<Ctx>, event: EventRecord) {
  const { consumer, transact, backoff, parked, log } = options
  try {
    await handleInTransaction(options, [event])
  } catch (err) {
    const { id, name, key, requestId } = event
    log.warn(
      { err, consumer: consumer.name, event: id, name, key, requestId },
      'event handling failed',
    )
    const failed = { error: errorText(err), delayMs: delayAfter(1, backoff) }
    await transact(async (tx) => {
      const fresh = await insertIntoInbox(tx, consumer.name, [event])
      if (fresh.length > 0) await insertParked(tx, consumer.name, event, failed)
    })
    parked()
  }
}
