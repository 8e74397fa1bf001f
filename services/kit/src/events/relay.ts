import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../log.js'
import { PollInterval } from '../timing/poll-interval.js'
import type { WakeSignal } from '../timing/wake-signal.js'
import { type Bus, BusChanged, type BusState } from './bus/port.js'
import type { EventRecord, UntimedEvent } from './event.js'
import { createVacuum } from './vacuum.js'

export type RelayOptions = {
  service: string
  pool: pg.Pool
  bus: Bus
  /** Notified when events were published. */
  wakeSignal: WakeSignal
  log: Logger
}

type Row = { seq: string; at: string; message: UntimedEvent }

const batchMax = 500
const pollMsMin = 1000
const retryMs = 1000
const changedMs = 50
// Events published within this time after a batch form the next one.
const batchingMs = 10

/**
 * Moves a service's events from the outbox to the bus, in order, until the signal fires. One relay runs per service;
 * a short overlap of two is harmless, because duplicates of an event have no effect.
 */
export async function runRelay(options: RelayOptions, signal: AbortSignal): Promise<void> {
  const { log } = options
  while (!signal.aborted) {
    try {
      await relayEpoch(options, signal)
    } catch (err) {
      if (signal.aborted) return
      if (!(err instanceof BusChanged)) log.warn({ err }, 'event relay failed')
      const ms = err instanceof BusChanged ? changedMs : retryMs
      await sleep(ms, undefined, { signal }).catch(() => {})
    }
  }
}

async function relayEpoch(options: RelayOptions, signal: AbortSignal) {
  const { service, bus, wakeSignal, log } = options
  const known = await readState(options.pool)
  let state = await bus.open(service, known)
  if (state.epoch !== known.epoch) state = await resendRetained(options, state, signal)
  const vacuum = createVacuum(options.pool, 'outbox', log)
  const pollInterval = new PollInterval(pollMsMin, bus.pollMsMax)
  let sentAt = 0
  while (!signal.aborted) {
    const rows = await readBatch(options.pool, 'outbox', '-1')
    if (rows.length > 0) {
      state = await bus.send(service, eventsOf(rows), state)
      await markSent(options.pool, rows, state)
      sentAt = performance.now()
      pollInterval.reset()
      await vacuum(rows.length)
    }
    if (rows.length === batchMax) continue
    if (await wakeSignal.wait(pollInterval.next(), signal)) {
      const waitMs = sentAt + batchingMs - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      continue
    }
    const found = await bus.open(service, state)
    if (found.epoch !== state.epoch) throw new BusChanged('the epoch of the bus changed')
  }
}

/** Sends all retained events again, in order; consumers ignore those that they know. Starts over if interrupted. */
async function resendRetained(options: RelayOptions, opened: BusState, signal: AbortSignal) {
  const { service, pool, bus, log } = options
  let state = opened
  let count = 0
  for (let after = '-1'; ; ) {
    signal.throwIfAborted()
    const rows = await readBatch(pool, 'outbox_sent', after)
    const last = rows.at(-1)
    if (!last) break
    state = await bus.send(service, eventsOf(rows), state)
    after = last.seq
    count += rows.length
  }
  await pool.query('update relay_state set epoch = $1, position = $2', [
    state.epoch,
    state.position,
  ])
  if (count > 0) log.info({ count }, 'retained events sent again after the bus changed')
  return state
}

const eventsOf = (rows: Row[]): EventRecord[] => rows.map(({ at, message }) => ({ ...message, at }))

async function readState(pool: pg.Pool): Promise<BusState> {
  const { rows } = await pool.query<{ epoch: string; position: string }>(
    'select epoch, position::text from relay_state',
  )
  return { epoch: rows[0]?.epoch ?? '', position: Number(rows[0]?.position ?? 0) }
}

async function readBatch(pool: pg.Pool, table: 'outbox' | 'outbox_sent', after: string) {
  const { rows } = await pool.query<Row>({
    // Planned each time: a plan made while the table is empty scans all its dead rows.
    // `q.seq`, because `seq` alone would be the text column of the result.
    text: `select seq::text, message,
                  to_char(published_on, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
             from ${table} q where seq > $1
            order by q.seq limit ${batchMax}`,
    values: [after],
  })
  return rows
}

async function markSent(pool: pg.Pool, rows: Row[], state: BusState) {
  await pool.query({
    name: 'mark sent',
    text: `with moved as (delete from outbox where seq = any($1::bigint[])
                          returning seq, published_on, message),
                kept as (insert into outbox_sent (seq, published_on, message) select * from moved)
           update relay_state set epoch = $2, position = $3`,
    values: [rows.map((row) => row.seq), state.epoch, state.position],
  })
}
