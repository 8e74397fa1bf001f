import { setImmediate } from 'node:timers/promises'
import { statement } from '../db/statement.js'
import type { Kit } from '../service.js'
import { type Backoff, delayAfter } from './backoff.js'
import type { AnyTransaction, EventRecord } from './event.js'
import type { Gate } from './gate.js'
import { errorText, type Handling, handle } from './handle.js'
import { insertParked, wakeHeads } from './parked.js'

export type DeliverOptions<Ctx> = Handling<Ctx> &
  Pick<Kit<unknown>, 'db' | 'transact' | 'log'> & {
    backoff: Backoff
    /** An event was parked: its next attempt may be soon. */
    parked(): void
  }

// A transaction is shared by so many events as are handled in about this time.
const sharedMs = 100
const sharedMax = 100

/** The events of a shard, in order; of each shard there is one batch at a time. */
type Batch = { events: EventRecord[]; resolve(): void; reject(error: unknown): void }

/**
 * Handles the events of a consumer, those of each shard in order. The effect of each and its entry
 * in the inbox are one transaction, which quick events of all shards share: what comes while one is
 * under way waits for the next, unless it lasts. When it fails, each event gets its own, and the one
 * that fails is parked with all that come later with its key. The other keys go on.
 */
export function createDelivery<Ctx>(options: DeliverOptions<Ctx>, gate: Gate) {
  let together = 10
  const waiting: Batch[] = []
  let asked = 0
  let timer: NodeJS.Timeout | undefined

  const next = () => {
    if (waiting.length === 0) return
    const count = waiting.reduce((sum, { events }) => sum + events.length, 0)
    if (asked === 0 || count >= together) ask()
    else timer ??= setTimeout(ask, sharedMs)
  }
  const ask = () => {
    clearTimeout(timer)
    timer = undefined
    asked++
    void gate(async () => {
      // Shards that were read together come one after the other.
      await setImmediate()
      const batches = take()
      next()
      if (batches.length > 0) await deliver(batches)
    }).finally(() => {
      asked--
      next()
    })
  }
  /** As many batches as fit a transaction, but one at least. */
  const take = () => {
    let count = 0
    const fitting = waiting.findIndex(({ events }, index) => {
      count += events.length
      return index > 0 && count > together
    })
    return waiting.splice(0, fitting < 0 ? waiting.length : fitting)
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
      const some = events.slice(done, done + together)
      const began = performance.now()
      try {
        await handleTogether(options, some)
        const tookMs = Math.max(1, performance.now() - began)
        const fitting = Math.floor((some.length * sharedMs) / tookMs)
        together = Math.max(1, Math.min(fitting, 2 * together, sharedMax))
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

async function handleTogether<Ctx>(options: DeliverOptions<Ctx>, events: EventRecord[]) {
  const { consumer, ctx, db, transact } = options
  const behind = await transact(async (tx) => {
    const parkedKeys = new Set<string>()
    for (const { event, isBehind } of await takeIn(tx, consumer.name, events)) {
      if (!isBehind) await handle(options, tx, event)
      else {
        await insertParked(tx, consumer.name, event)
        parkedKeys.add(event.key)
      }
    }
    await consumer.finish?.(ctx, tx)
    return [...parkedKeys]
  })
  if (behind.length > 0) await wakeHeads(db, consumer.name, behind)
}

async function handleOne<Ctx>(options: DeliverOptions<Ctx>, event: EventRecord) {
  const { consumer, transact, backoff, parked, log } = options
  try {
    await handleTogether(options, [event])
  } catch (err) {
    const { id, name, key, requestId } = event
    log.warn({ err, consumer: consumer.name, event: id, name, key, requestId }, 'an event failed')
    const failed = { error: errorText(err), delayMs: delayAfter(1, backoff) }
    await transact(async (tx) => {
      const fresh = await takeIn(tx, consumer.name, [event])
      if (fresh.length > 0) await insertParked(tx, consumer.name, event, failed)
    })
    parked()
  }
}

type Entered = { days: string[]; ids: string[]; keys: string[]; consumer: string }

const entered = statement<{ event_id: string; is_behind: boolean }, Entered>(`
  with e as (
    select * from unnest(:days::date[], :ids::uuid[], :keys::text[]) as e (day, event_id, key)
  ), fresh as (
    insert into inbox (day, event_id, consumer) select day, event_id, :consumer from e
    on conflict do nothing returning event_id
  )
  select distinct event_id,
         exists (select from parked p where p.consumer = :consumer and p.key = e.key) as is_behind
    from fresh join e using (event_id)`)

/**
 * Enters events in the inbox. Answers those that were not in it, in their order, and whether others
 * of their key wait: then they wait behind them.
 */
async function takeIn(
  tx: AnyTransaction,
  consumer: string,
  events: EventRecord[],
): Promise<{ event: EventRecord; isBehind: boolean }[]> {
  const ids = events.map((event) => event.id)
  const days = events.map((event) => event.at.slice(0, 10))
  const keys = events.map((event) => event.key)
  const rows = await entered(tx, { days, ids, keys, consumer })
  const fresh = new Map(rows.map((row) => [row.event_id, row.is_behind]))
  return events.flatMap((event) => {
    const isBehind = fresh.get(event.id)
    // A batch may hold an event twice.
    fresh.delete(event.id)
    return isBehind === undefined ? [] : [{ event, isBehind }]
  })
}
