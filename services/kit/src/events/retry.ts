import { sql } from 'kysely'
import { statement } from '../db/statement.js'
import { Idle } from '../idle.js'
import { delayAfter } from './backoff.js'
import type { Bell } from './bell.js'
import type { DeliverOptions } from './deliver.js'
import type { AnyTransaction, EventRecord } from './event.js'
import type { Gate } from './gate.js'
import { errorText, handle } from './handle.js'
import { wakeAllHeads, wakeHeads } from './parked.js'

export type RetryOptions<Ctx> = DeliverOptions<Ctx> & { attemptsMax: number }

type Parked = { id: string; key: string; attempts: number; message: EventRecord }

const restMsMin = 1000
/** What another process put back, for example a replayed dead letter, is found within this time. */
const restMsMax = 20_000
const wakeAllMs = 60_000

/** Runs one consumer's parked events when they are due, until the signal fires. */
export async function runRetries<Ctx>(
  options: RetryOptions<Ctx>,
  bell: Bell,
  gate: Gate,
  signal: AbortSignal,
): Promise<void> {
  const { db, consumer } = options
  const idle = new Idle(restMsMin, restMsMax)
  let allWoken = 0
  while (!signal.aborted) {
    let restMs = restMsMin
    try {
      if (Date.now() - allWoken > wakeAllMs) {
        await wakeAllHeads(db)
        allWoken = Date.now()
      }
      const [next] = await nextDue(db, consumer.name)
      if (!next) restMs = idle.next()
      else {
        idle.reset()
        if (next.due_in_ms > 0) restMs = Math.min(next.due_in_ms, restMsMax)
        else await retryAll(options, gate, signal)
      }
    } catch (err) {
      if (!signal.aborted) options.log.warn({ err }, 'retrying events failed')
    }
    await bell.wait(restMs, signal)
  }
}

const nextDue = statement<{ due_in_ms: number }>(`
  select ceil(extract(epoch from run_at - now()) * 1000)::float8 as due_in_ms
    from parked where consumer = $1 and run_at is not null order by run_at limit 1`)

/** Until nothing is due. */
async function retryAll<Ctx>(options: RetryOptions<Ctx>, gate: Gate, signal: AbortSignal) {
  while (!signal.aborted && (await gate(() => retryOne(options)))) {}
}

/**
 * The one that is due for longest. A key's next event is not due before its first is gone, so
 * `skip locked` does not break the order. Answers whether there was one.
 */
async function retryOne<Ctx>(options: RetryOptions<Ctx>): Promise<boolean> {
  const { consumer, ctx, db, transact } = options
  let row: Parked | undefined
  try {
    await transact(async (tx) => {
      row = await lockDue(tx, consumer.name)
      if (!row) return
      await handle(options, tx, row.message)
      await consumer.finish?.(ctx, tx)
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
  const about = {
    err,
    consumer: consumer.name,
    event: message.id,
    name: message.name,
    key,
    requestId: message.requestId,
    attempts,
  }
  if (attempts < attemptsMax) {
    log.warn(about, 'an event failed again')
    const delay = `${delayAfter(attempts, backoff)} milliseconds`
    await sql`update parked set attempts = ${attempts}, error = ${errorText(err)},
      run_at = now() + ${delay}::interval where id = ${id}`.execute(tx)
    return
  }
  log.error(about, 'an event failed too often: it is a dead letter now')
  await sql`insert into dead_letter (event_id, consumer, message, attempts, error, parked_on)
    select ${message.id}, consumer, message, ${attempts}::int, ${errorText(err)}, parked_on
      from parked where id = ${id}
    on conflict (event_id, consumer) do update
      set attempts = excluded.attempts, error = excluded.error, died_on = now()`.execute(tx)
  await deleteParked(tx, id)
}

const deleteParked = (tx: AnyTransaction, id: string) =>
  sql`delete from parked where id = ${id}`.execute(tx)
