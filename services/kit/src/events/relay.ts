import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Idle } from '../idle.js'
import type { Logger } from '../log.js'
import type { Bell } from './bell.js'
import { type Bus, BusChanged, type BusState } from './bus/port.js'
import type { EventRecord, UntimedEvent } from './event.js'
import { createVacuum } from './vacuum.js'

export type RelayOptions = {
  service: string
  pool: pg.Pool
  bus: Bus
  /** Rings when something was published. */
  bell: Bell
  log: Logger
}

type Row = { seq: string; at: string; message: UntimedEvent }

const batchMax = 500
const restMsMin = 1000
const retryMs = 1000
const changedMs = 50
// What is published within this time after a batch makes the next one.
const gatherMs = 10

/**
 * Moves a service's events from the outbox to the bus, in their order, until the signal fires. One
 * relay a service runs at a time; two that overlap for a moment do no harm: the second copy of an
 * event changes nothing.
 */
export async function runRelay(options: RelayOptions, signal: AbortSignal): Promise<void> {
  const { log } = options
  while (!signal.aborted) {
    try {
      await relayOneEpoch(options, signal)
    } catch (err) {
      if (signal.aborted) return
      if (!(err instanceof BusChanged)) log.warn({ err }, 'the relay of events failed')
      const ms = err instanceof BusChanged ? changedMs : retryMs
      await sleep(ms, undefined, { signal }).catch(() => {})
    }
  }
}

async function relayOneEpoch(options: RelayOptions, signal: AbortSignal) {
  const { service, bus, bell, log } = options
  const known = await readState(options.pool)
  let state = await bus.open(service, known)
  if (state.epoch !== known.epoch) state = await refill(options, state, signal)
  const vacuum = createVacuum(options.pool, 'outbox', log)
  const idle = new Idle(restMsMin, bus.restMsMax)
  let sentAt = 0
  while (!signal.aborted) {
    const rows = await readBatch(options.pool, 'outbox', '-1')
    if (rows.length > 0) {
      state = await bus.send(service, eventsOf(rows), state)
      await markSent(options.pool, rows, state)
      sentAt = performance.now()
      idle.reset()
      await vacuum(rows.length)
    }
    if (rows.length === batchMax) continue
    if (await bell.wait(idle.next(), signal)) {
      const restMs = sentAt + gatherMs - performance.now()
      if (restMs > 0) await sleep(restMs)
      continue
    }
    const found = await bus.open(service, state)
    if (found.epoch !== state.epoch) throw new BusChanged('the bus has lost events')
  }
}

/** All that is kept, in its order; consumers drop what they know. Begun again if interrupted. */
async function refill(options: RelayOptions, opened: BusState, signal: AbortSignal) {
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
  if (count > 0) log.info({ count }, 'events were sent again to a bus that lacked them')
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
    // Planned each time: a plan made while the table is empty reads all that is dead in it.
    // Qualified: the bare name would be the text of the first column.
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
