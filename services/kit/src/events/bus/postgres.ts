import type { JsonValue } from '@bufbuild/protobuf'
import type pg from 'pg'
import { migrate } from '../../db/migrate.js'
import { createPool } from '../../db/pool.js'
import type { Database } from '../../db/reach.js'
import { Idle } from '../../idle.js'
import type { Logger } from '../../log.js'
import { Bell } from '../bell.js'
import type { EventRecord } from '../event.js'
import { grouped } from '../grouped.js'
import { shardOf } from '../shard.js'
import { createVacuum } from '../vacuum.js'
import { LocalBells } from './local-bells.js'
import { createNotifier } from './notifier.js'
import {
  awayMaxMs,
  type Bus,
  BusChanged,
  type BusState,
  broadcastText,
  type Group,
} from './port.js'
import { busMigrations, busSchema } from './postgres-schema.js'

const batchMax = 200
const pollMs = 1000
/** Where notifications are heard, they alone tell of events, unless one was lost with its process. */
const restMsMax = 30_000
const readAgainMs = 600_000
const deliveries = 'figbase_deliveries'
const broadcasts = 'figbase_broadcasts'

export type PostgresBusOptions = {
  database: Database
  /** Whether it makes its schema; else it is there. */
  migrates: boolean
  log: Logger
  /** Of the process; without it, of this bus. */
  bells?: LocalBells
}

/** The bus in a database that all services share: a row for each event and consumer. */
export function createPostgresBus({
  database,
  migrates,
  log,
  bells = new LocalBells(),
}: PostgresBusOptions): Bus {
  const of = { schema: busSchema, connectionsMax: 3, log }
  const pool = createPool({ ...database, ...of, lastingPlans: true })
  const restMs = database.directUrl ? restMsMax : pollMs
  const idle = new Idle(pollMs, restMs)
  const lookBell = new Bell()
  const stopping = new AbortController()
  /** Of those, what this bus receives. */
  const places = new Set<string>()
  const heard = new Map<string, Set<Hearer>>()
  const resumed = () => {
    idle.reset()
    lookBell.ring()
    for (const hearers of heard.values()) for (const hearer of hearers) hearer.resumed?.()
  }
  const notifier = createNotifier(pool, database, [deliveries, broadcasts], log, resumed)
  notifier.on(deliveries, (text) => {
    for (const place of text.split(' ')) bells.ring(place)
  })
  const hearBroadcast = (text: string) => {
    const [subject, message] = JSON.parse(text) as [string, JsonValue]
    for (const { hear } of heard.get(subject) ?? []) hear(message)
  }
  notifier.on(broadcasts, hearBroadcast)
  let migrated: Promise<void> | undefined
  const prepare = () => {
    migrated ??= migrates ? migrate(pool, busSchema, busMigrations) : Promise.resolve()
    return migrated
  }
  /** A schema that is gone is made again by the next one who needs it. */
  const prepared = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      await prepare()
      return await work()
    } catch (error) {
      migrated = undefined
      throw error
    }
  }

  // All shards that wait are read together, and what they have handled is deleted together.
  const read = grouped((places: Place[]) => readDeliveries(pool, places))
  const vacuum = createVacuum(pool, 'bus.delivery', log)
  const remove = grouped(async (handled: Handled[]) => {
    await deleteDeliveries(pool, handled)
    await vacuum(handled.reduce((sum, { ids }) => sum + ids.length, 0))
    return new Map<Handled, void>()
  })
  const groups = new Map<string, Group>()
  let epochSeen = ''
  // One look for all who wait: the bells only shorten the wait.
  const poll = async () => {
    try {
      const { epoch, places: waiting } = await prepared(() => look(pool, [...places]))
      for (const place of waiting) bells.ring(place)
      if (waiting.length > 0 || epoch !== epochSeen) idle.reset()
      if (epoch === epochSeen) return
      // It may be a new bus, which knows nobody.
      for (const group of groups.values()) await insertSubscriptions(pool, group)
      epochSeen = epoch
    } catch (err) {
      log.warn({ err }, 'looking for events failed')
    }
  }
  const keepPolling = async () => {
    while (!stopping.signal.aborted) {
      await lookBell.wait(idle.next(), stopping.signal)
      if (!stopping.signal.aborted && groups.size > 0) await poll()
    }
  }
  const polling = keepPolling()

  return {
    open: () => prepared(async () => ({ epoch: await readEpoch(pool), position: 0 })),
    send: (_, events, at) =>
      prepared(async () => {
        // What is received in this process needs no notification.
        const received = await insertDeliveries(pool, events, at)
        const elsewhere = received.filter((place) => !bells.ring(place))
        if (elsewhere.length > 0) notifier.notify(deliveries, elsewhere)
        return at
      }),
    subscribe: (group) =>
      prepared(async () => {
        groups.set(group.name, group)
        idle.reset()
        lookBell.ring()
        await insertSubscriptions(pool, group)
        await dropAbsent(pool)
      }),
    async receive(group, shard, signal, handle) {
      const place: Place = { consumer: group.name, shard }
      const name = nameOf(place)
      const bell = new Bell()
      using _ = bells.add(name, bell)
      places.add(name)
      try {
        await notifier.listen()
        while (!signal.aborted) {
          const rows = (await prepared(() => read(place))) ?? []
          if (rows.length > 0) {
            await handle(rows.map((row) => row.message))
            await remove({ ...place, ids: rows.map((row) => row.id) })
          }
          if (rows.length < batchMax) await bell.wait(readAgainMs, signal)
        }
      } finally {
        places.delete(name)
      }
    },
    async broadcast(subject, message) {
      const text = broadcastText(subject, message)
      // Other processes are not heard then, but this one is.
      if (!database.directUrl) setImmediate(hearBroadcast, text)
      await pool.query('select pg_notify($1, $2)', [broadcasts, text])
    },
    restMsMax: restMs,
    async listen(subject, hear, resumed) {
      const hearer = { hear, resumed }
      const hearers = heard.get(subject) ?? new Set()
      heard.set(subject, hearers.add(hearer))
      await notifier.listen()
      return { [Symbol.asyncDispose]: async () => void hearers.delete(hearer) }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await polling
      await notifier[Symbol.asyncDispose]()
      await pool.end()
    },
  }
}

type Hearer = { hear(message: JsonValue): void; resumed: (() => void) | undefined }

/** A shard of a consumer. */
type Place = { consumer: string; shard: number }
type Delivery = { id: string; message: EventRecord }
type Handled = Place & { ids: string[] }

const nameOf = ({ consumer, shard }: Place) => `${consumer}/${shard}`

async function readEpoch(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ epoch: string }>({
    name: 'read epoch',
    text: 'select epoch::text from bus.state',
  })
  return rows[0]?.epoch ?? ''
}

/** One statement, so one snapshot: who subscribes after it changes the epoch after it, too. */
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
  if (rows[0]?.epoch !== epoch) throw new BusChanged('there are new subscriptions')
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

/** A consumer that left for good must not collect events for ever. */
async function dropAbsent(pool: pg.Pool) {
  await pool.query(
    `with gone as (
        delete from bus.subscription where seen_on < now() - $1::interval returning consumer)
      delete from bus.delivery where consumer in (select consumer from gone)
        and consumer not in (
          select consumer from bus.subscription where seen_on >= now() - $1::interval)`,
    [`${awayMaxMs} milliseconds`],
  )
}

/** The epoch, and those of the places where something waits. */
async function look(pool: pg.Pool, places: string[]) {
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

/** If the server loses this, they come again, and change nothing. */
async function deleteDeliveries(pool: pg.Pool, handled: Handled[]): Promise<void> {
  const rows = handled.flatMap(({ consumer, shard, ids }) =>
    ids.map((id) => ({ consumer, shard, id })),
  )
  await pool.query({
    name: 'delete deliveries',
    text: `with gone as (
             delete from bus.delivery d
              using unnest($1::text[], $2::smallint[], $3::bigint[]) h(consumer, shard, id)
              where d.consumer = h.consumer and d.shard = h.shard and d.id = h.id)
           select set_config('synchronous_commit', 'off', true)`,
    values: [
      rows.map(({ consumer }) => consumer),
      rows.map(({ shard }) => shard),
      rows.map(({ id }) => id),
    ],
  })
}
