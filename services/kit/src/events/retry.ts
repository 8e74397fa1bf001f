import { sql } from 'kysely'
import { statement } from '../db/statement.js'
import type { ConcurrencyLimit } from '../timing/concurrency-limit.js'
import { PollInterval } from '../timing/poll-interval.js'
import type { WakeSignal } from '../timing/wake-signal.js'
import { delayAfter } from './backoff.js'
import type { DeliverOptions } from './deliver.js'
import type { AnyTransaction, EventRecord } from './event.js'
import { errorText, handleAll } from './handle.js'
import { wakeAllHeads, wakeHeads } from './parked.js'

export type RetryOptions<Ctx> = DeliverOptions<Ctx> & { attemptsMax: number }

type Parked = { id: string; key: string; attempts: number; message: EventRecord }

const pollMsMin = 1000
/** Events parked by another process, such as replayed dead letters, are found within this time. */
const pollMsMax = 60_000
const wakeAllMs = 180_000

/** Retries the parked events of a consumer when they are due, until the signal fires. */
export async function runRetries<Ctx>(
  options: RetryOptions<Ctx>,
  wakeSignal: WakeSignal,
  gate: ConcurrencyLimit,
  signal: AbortSignal,
): Promise<void> {
  const { db, consumer } = options
  const pollInterval = new PollInterval(pollMsMin, pollMsMax)
  let allWokenAt = 0
  while (!signal.aborted) {
    let waitMs = pollMsMin
    try {
      if (Date.now() - allWokenAt > wakeAllMs) {
        await wakeAllHeads(db)
        allWokenAt = Date.now()
      }
      const [next] = await nextDue(db, consumer.name)
      if (!next) waitMs = pollInterval.next()
      else {
        pollInterval.reset()
        if (next.due_in_ms > 0) waitMs = Math.min(next.due_in_ms, pollMsMax)
        else await retryAll(options, gate, signal)
      }
    } catch (err) {
      if (!signal.aborted) options.log.warn({ err }, 'retrying parked events failed')
    }
    await wakeSignal.wait(waitMs, signal)
  }
}

const nextDue = statement<{ due_in_ms: number }>(`
  select ceil(extract(epoch from run_at - now()) * 1000)::float8 as due_in_ms
    from parked where consumer = $1 and run_at is not null order by run_at limit 1`)

/** Retries until no event is due. */
async function retryAll<Ctx>(
  options: RetryOptions<Ctx>,
  gate: ConcurrencyLimit,
  signal: AbortSignal,
) {
  while (!signal.aborted && (await gate(() => retryOne(options)))) {}
}

/**
 * Retries the event that is due for the longest time. The next event of a key becomes due after the first is removed,
 * so `skip locked` keeps the order. Returns whether there was one.
 */
async function retryOne<Ctx>(options: RetryOptions<Ctx>): Promise<boolean> {
  const { consumer, db, transact } = options
  let row: Parked | undefined
  try {
    await transact(async (tx) => {
      row = await lockDue(tx, consumer.name)
      if (!row) return
      await handleAll(options, tx, [row.message])
      await deleteParked(tx, row.id)
    })
  } catch (err) {
    if (!row) throw err
    const failed = row
    await transact((tx) => recordFailure(options, tx, failed, err))
  }
  if (row) await wakeHeads(db, consumer.name, [row.key])
  return row !== undefined
}

async function lockDue(tx: AnyTransaction, consumer: string): Promise<Parked | undefined> {
  const { rows } = await sql<Parked>`select id::text, key, attempts, message from parked
     where consumer = ${consumer} and run_at <= now() order by run_at limit 1
     for update skip locked`.execute(tx)
  return rows[0]
}

async function recordFailure<Ctx>(
  { consumer, attemptsMax, backoff, log }: RetryOptions<Ctx>,
  tx: AnyTransaction,
  { id, key, message, ...before }: Parked,
  err: unknown,
) {
  const attempts = before.attempts + 1
  const details = {
    err,
    consumer: consumer.name,
    event: message.id,
    name: message.name,
    key,
    requestId: message.requestId,
    attempts,
  }
  if (attempts < attemptsMax) {
    log.warn(details, 'event handling failed again')
    const delay = `${delayAfter(attempts, backoff)} milliseconds`
    await sql`update parked set attempts = ${attempts}, error = ${errorText(err)},
      run_at = now() + ${delay}::interval where id = ${id}`.execute(tx)
    return
  }
  log.error(details, 'event failed too often and became a dead letter')
  await sql`insert into dead_letter (event_id, consumer, message, attempts, error, parked_on)
    select ${message.id}, consumer, message, ${attempts}::int, ${errorText(err)}, parked_on
      from parked where id = ${id}
    on conflict (event_id, consumer) do update
      set attempts = excluded.attempts, error = excluded.error, died_on = now()`.execute(tx)
  await deleteParked(tx, id)
}

const deleteParked = (tx: AnyTransaction, id: string) =>
  sql`delete from parked where id = ${id}`.execute(tx)
