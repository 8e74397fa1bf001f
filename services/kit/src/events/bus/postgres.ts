import type { JsonValue } from '@bufbuild/protobuf'
import type pg from 'pg'
import { migrate } from '../../db/migrate.js'
import { createPool } from '../../db/pool.js'
import type { Database } from '../../db/resolve-database.js'
import type { Logger } from '../../log.js'
import { PollInterval } from '../../timing/poll-interval.js'
import { WakeSignal } from '../../timing/wake-signal.js'
import { batched } from '../batched.js'
import type { EventRecord } from '../event.js'
import { shardOf } from '../shard.js'
import { createVacuum } from '../vacuum.js'
import { LocalWakeSignals } from './local-wake-signals.js'
import { createNotifier } from './notifier.js'
import {
  type Bus,
  BusChanged,
  type BusState,
  broadcastText,
  consumerInactivityMaxMs,
  type Group,
} from './port.js'
import { busMigrations, busSchema } from './postgres-schema.js'

const batchMax = 200
const pollMs = 1000
/** With LISTEN, polling only covers notifications that were lost with their process. */
const listeningPollMsMax = 60_000
const rereadMs = 600_000
const deliveries = 'figbase_deliveries'
const broadcasts = 'figbase_broadcasts'

export type PostgresBusOptions = {
  database: Database
  /** Whether to create the schema; else it must exist. */
  migrates: boolean
  log: Logger
  /** Shared by the process; by default, of this bus only. */
  wakeSignals?: LocalWakeSignals
}

/** The event bus in a database that all services share: a row per event and consumer. */
export function createPostgresBus({
  database,
  migrates,
  log,
  wakeSignals = new LocalWakeSignals(),
}: PostgresBusOptions): Bus {
  const of = { schema: busSchema, connectionsMax: 3, log }
  const pool = createPool({ ...database, ...of, lastingPlans: true })
  const pollMsMax = database.directUrl ? listeningPollMsMax : pollMs
  const pollInterval = new PollInterval(pollMs, pollMsMax)
  const pollSignal = new WakeSignal()
  const stopping = new AbortController()
  /** The shards that this bus receives. */
  const places = new Set<string>()
  const listeners = new Map<string, Set<Listener>>()
  const resumed = () => {
    pollInterval.reset()
    pollSignal.notify()
    for (const registered of listeners.values())
      for (const listener of registered) listener.resumed?.()
  }
  const notifier = createNotifier(pool, database, [deliveries, broadcasts], log, resumed)
  notifier.on(deliveries, (text) => {
    for (const place of text.split(' ')) wakeSignals.notify(place)
  })
  const handleBroadcast = (text: string) => {
    const [subject, message] = JSON.parse(text) as [string, JsonValue]
    for (const { handle } of listeners.get(subject) ?? []) handle(message)
  }
  notifier.on(broadcasts, handleBroadcast)
  let migrated: Promise<void> | undefined
  const prepare = () => {
    migrated ??= migrates ? migrate(pool, busSchema, busMigrations) : Promise.resolve()
    return migrated
  }
  /** If the schema was dropped, the next call creates it again. */
  const prepared = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      await prepare()
      return await work()
    } catch (error) {
      migrated = undefined
      throw error
    }
  }

  // Shards that wait concurrently are read by one query.
  const read = batched((places: Place[]) => readDeliveries(pool, places))
  const vacuum = createVacuum(pool, 'bus.delivery', log)
  // Handled deliveries are deleted by one statement, together with the broadcasts of their handlers.
  const finish = batched(async (some: (Handled | Broadcast)[]) => {
    const handled = some.filter((one) => 'ids' in one)
    const texts = some.filter((one) => 'text' in one).map(({ text }) => text)
    if (handled.length > 0) await deleteDeliveries(pool, handled, texts)
    else await notifyAll(pool, texts)
    return new Map<Handled | Broadcast, void>()
  })
  const groups = new Map<string, Group>()
  let epochSeen = ''
  // One poll for all shards; the wake signals only shorten the wait.
  const poll = async () => {
    try {
      const { epoch, places: waiting } = await prepared(() => pollPlaces(pool, [...places]))
      for (const place of waiting) wakeSignals.notify(place)
      if (waiting.length > 0 || epoch !== epochSeen) pollInterval.reset()
      if (epoch === epochSeen) return
      // The bus may be new, without subscriptions.
      for (const group of groups.values()) await insertSubscriptions(pool, group)
      epochSeen = epoch
    } catch (err) {
      log.warn({ err }, 'polling for events failed')
    }
  }
  const keepPolling = async () => {
    while (!stopping.signal.aborted) {
      await pollSignal.wait(pollInterval.next(), stopping.signal)
      if (!stopping.signal.aborted && groups.size > 0) await poll()
    }
  }
  const polling = keepPolling()

  return {
    open: () => prepared(async () => ({ epoch: await readEpoch(pool), position: 0 })),
    send: (_, events, at) =>
      prepared(async () => {
        // Receivers in this process need no notification.
        const received = await insertDeliveries(pool, events, at)
        const elsewhere = received.filter((place) => !wakeSignals.notify(place))
        if (elsewhere.length > 0) notifier.notify(deliveries, elsewhere)
        return at
      }),
    subscribe: (group) =>
      prepared(async () => {
        groups.set(group.name, group)
        pollInterval.reset()
        pollSignal.notify()
        await insertSubscriptions(pool, group)
        await dropInactive(pool)
      }),
    async receive(group, shard, signal, handle) {
      const place: Place = { consumer: group.name, shard }
      const name = nameOf(place)
      const wakeSignal = new WakeSignal()
      using _ = wakeSignals.add(name, wakeSignal)
      places.add(name)
      try {
        await notifier.listen()
        while (!signal.aborted) {
          const rows = (await prepared(() => read(place))) ?? []
          if (rows.length > 0) {
            await handle(rows.map((row) => row.message))
            await finish({ ...place, ids: rows.map((row) => row.id) })
            await vacuum(rows.length)
          }
          if (rows.length < batchMax) await wakeSignal.wait(rereadMs, signal)
        }
      } finally {
        places.delete(name)
      }
    },
    async broadcast(subject, message) {
      const text = broadcastText(subject, message)
      // Behind a pooler only this process is reached, without LISTEN.
      if (!database.directUrl) setImmediate(handleBroadcast, text)
      await finish({ text })
    },
    pollMsMax,
    async listen(subject, handle, resumed) {
      const listener = { handle, resumed }
      const registered = listeners.get(subject) ?? new Set()
      listeners.set(subject, registered.add(listener))
      await notifier.listen()
      return { [Symbol.asyncDispose]: async () => void registered.delete(listener) }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await polling
      await notifier[Symbol.asyncDispose]()
      await pool.end()
    },
  }
}

type Listener = { handle(message: JsonValue): void; resumed: (() => void) | undefined }

/** A shard of a consumer group. */
type Place = { consumer: string; shard: number }
type Delivery = { id: string; message: EventRecord }
type Handled = Place & { ids: string[] }
type Broadcast = { text: string }

const nameOf = ({ consumer, shard }: Place) => `${consumer}/${shard}`

async function readEpoch(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ epoch: string }>({
    name: 'read epoch',
    text: 'select epoch::text from bus.state',
  })
  return rows[0]?.epoch ?? ''
}

/** One statement, hence one snapshot: a later subscription also changes the epoch later. */
async function insertDeliveries(pool: pg.Pool, events: EventRecord[], { epoch }: BusState) {
  const { rows } = await pool.query<{ epoch: string; places: string[] }>({
    name: 'insert deliveries',
    text: `with now as (select epoch::text from bus.state),
      inserted as (
        insert into bus.delivery (consumer, shard, message)
        select s.consumer, e.shard, e.message
          from unnest($1::text[], $2::smallint[], $3::json[]) with ordinality
                 e(name, shard, message, ord)
          join bus.subscription s on s.event = e.name
         where (select epoch from now) = $4
         order by e.ord
        returning consumer, shard)
      select (select epoch from now) as epoch,
             array(select distinct consumer || '/' || shard from inserted) as places`,
    values: [
      events.map((event) => event.name),
      events.map((event) => shardOf(event.key)),
      events.map((event) => JSON.stringify(event)),
      epoch,
    ],
  })
  if (rows[0]?.epoch !== epoch) throw new BusChanged('subscriptions changed')
  return rows[0].places
}

async function insertSubscriptions(pool: pg.Pool, { name, events }: Group) {
  await pool.query(
    `with seen as (
        insert into bus.subscription (event, consumer) select unnest($1::text[]), $2
        on conflict (event, consumer) do update set seen_on = now()
        returning xmax = 0 as is_new)
      update bus.state set epoch = gen_random_uuid() where exists (select from seen where is_new)`,
    [events, name],
  )
}

/** Removes inactive consumers, so that their events do not accumulate forever. */
async function dropInactive(pool: pg.Pool) {
  await pool.query(
    `with gone as (
        delete from bus.subscription where seen_on < now() - $1::interval returning consumer)
      delete from bus.delivery where consumer in (select consumer from gone)
        and consumer not in (
          select consumer from bus.subscription where seen_on >= now() - $1::interval)`,
    [`${consumerInactivityMaxMs} milliseconds`],
  )
}

/** The epoch, and the places with pending deliveries. */
async function pollPlaces(pool: pg.Pool, places: string[]) {
  const { rows } = await pool.query<{ epoch: string; places: string[] }>({
    name: 'look',
    text: `select epoch::text, array(
             select place from unnest($1::text[]) place
              where exists (select from bus.delivery where consumer = split_part(place, '/', 1)
                               and shard = split_part(place, '/', 2)::smallint)) as places
             from bus.state`,
    values: [places],
  })
  return rows[0] ?? { epoch: '', places: [] }
}

async function readDeliveries(pool: pg.Pool, places: Place[]): Promise<Map<Place, Delivery[]>> {
  const { rows } = await pool.query<Delivery & { index: number }>({
    name: 'read deliveries',
    text: `select p.place::int - 1 as index, d.id::text, d.message
             from unnest($1::text[], $2::smallint[]) with ordinality p(consumer, shard, place)
            cross join lateral (
              select id, message from bus.delivery where consumer = p.consumer and shard = p.shard
               order by id limit ${batchMax}) d
            order by p.place, d.id`,
    values: [places.map(({ consumer }) => consumer), places.map(({ shard }) => shard)],
  })
  const found = new Map<Place, Delivery[]>(places.map((place) => [place, []]))
  for (const { index, id, message } of rows) {
    const place = places[index]
    if (place) found.get(place)?.push({ id, message })
  }
  return found
}

const notifySql = (channel: string, texts: string) =>
  `select pg_notify(${channel}, message)::text from unnest(${texts}::text[]) message`

async function notifyAll(pool: pg.Pool, texts: string[]): Promise<void> {
  const text = notifySql('$1', '$2')
  await pool.query({ name: 'notify broadcasts', text, values: [broadcasts, texts] })
}

/**
 * Commits without waiting for the disk: a lost deletion only causes a redelivery, which has no effect. Commits with
 * NOTIFY are serialized, so they must be short.
 */
async function deleteDeliveries(pool: pg.Pool, handled: Handled[], texts: string[]): Promise<void> {
  const rows = handled.flatMap(({ consumer, shard, ids }) =>
    ids.map((id) => ({ consumer, shard, id })),
  )
  await pool.query({
    name: 'delete deliveries',
    text: `with gone as (
             delete from bus.delivery d
              using unnest($1::text[], $2::smallint[], $3::bigint[]) h(consumer, shard, id)
              where d.consumer = h.consumer and d.shard = h.shard and d.id = h.id)
           select set_config('synchronous_commit', 'off', true)
           union all ${notifySql('$4', '$5')}`,
    values: [
      rows.map(({ consumer }) => consumer),
      rows.map(({ shard }) => shard),
      rows.map(({ id }) => id),
      broadcasts,
      texts,
    ],
  })
}
