import { sql } from 'kysely'
import type { Kit } from '../service.js'
import { type Backoff, delayAfter } from './backoff.js'
import type { AnyTransaction, EventRecord } from './event.js'
import { errorText, type Handling, handle } from './handle.js'
import { insertParked, listParkedKeys, wakeHeads } from './parked.js'

export type DeliverOptions<Ctx> = Handling<Ctx> &
  Pick<Kit<unknown>, 'db' | 'transact' | 'log'> & {
    backoff: Backoff
    /** An event was parked: its next attempt may be soon. */
    parked(): void
  }

// A transaction is shared by so many events as are handled in about this time.
const sharedMs = 100
const sharedMax = 100

/**
 * Handles the events of one shard in order. The effect of each and its entry in the inbox are one
 * transaction, which quick events share; when that fails, each gets its own, and the one that
 * fails is parked with all that come later with its key. The other keys go on.
 */
export function createDelivery<Ctx>(options: DeliverOptions<Ctx>) {
  let together = 10
  return async (events: EventRecord[]): Promise<void> => {
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
}

async function handleTogether<Ctx>(options: DeliverOptions<Ctx>, events: EventRecord[]) {
  const { consumer, db, transact } = options
  const behind = await transact(async (tx) => {
    const fresh = await insertInbox(tx, consumer.name, events)
    const keys = fresh.map((event) => event.key)
    const parkedKeys = await listParkedKeys(tx, consumer.name, keys)
    for (const event of fresh) {
      if (parkedKeys.has(event.key)) await insertParked(tx, consumer.name, event)
      else await handle(options, tx, event)
    }
    // Fails where a handler hid a failed statement: that commit would keep nothing.
    await sql`select`.execute(tx)
    return [...parkedKeys]
  })
  if (behind.length > 0) await wakeHeads(db, consumer.name, behind)
}

async function handleOne<Ctx>(options: DeliverOptions<Ctx>, event: EventRecord) {
  const { consumer, transact, backoff, parked, log } = options
  try {
    await handleTogether(options, [event])
  } catch (err) {
    const { id, name, key } = event
    log.warn({ err, consumer: consumer.name, event: id, name, key }, 'an event failed')
    const failed = { error: errorText(err), delayMs: delayAfter(1, backoff) }
    await transact(async (tx) => {
      const fresh = await insertInbox(tx, consumer.name, [event])
      if (fresh.length > 0) await insertParked(tx, consumer.name, event, failed)
    })
    parked()
  }
}

/** Answers those that this consumer has not taken in before, in their order. */
async function insertInbox(
  tx: AnyTransaction,
  consumer: string,
  events: EventRecord[],
): Promise<EventRecord[]> {
  const ids = events.map((event) => event.id)
  const days = events.map((event) => event.at.slice(0, 10))
  const { rows } = await sql<{ event_id: string }>`insert into inbox (day, event_id, consumer)
    select day, event_id, ${consumer} from unnest(${days}::date[], ${ids}::uuid[]) e(day, event_id)
    on conflict do nothing returning event_id`.execute(tx)
  const fresh = new Set(rows.map((row) => row.event_id))
  // A batch may hold an event twice.
  return events.filter((event) => fresh.delete(event.id))
}
