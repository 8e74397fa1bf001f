import { type Executor, statement } from '../db/statement.js'

/** Events in the outbox of a service, and its dead letters; each count is capped at 10,000. */
export type EventDepth = {
  waiting: number
  oldestSeconds: number
  consumers: { consumer: string; dead: number }[]
}

const countedMax = 10_000

// By outbox_pkey and dead_letter_died_idx.
const depth = statement<EventDepth>(`
  with outgoing as materialized (
    select published_on from outbox order by seq limit ${countedMax}
  ), letters as materialized (
    select consumer, count(*)::int as dead
      from (select consumer from dead_letter order by died_on desc limit ${countedMax}) as kept
     group by consumer
  )
  select (select count(*)::int from outgoing) as waiting,
         (select greatest(coalesce(extract(epoch from now() - min(published_on)), 0), 0)::float8
            from outgoing) as "oldestSeconds",
         (select coalesce(json_agg(json_build_object(
                   'consumer', known.consumer, 'dead', coalesce(letters.dead, 0))
                   order by known.consumer), '[]')
            from unnest($1::text[]) as known (consumer)
            left join letters on letters.consumer = known.consumer) as consumers`)

/** Reads the depth with one query; dead letters are counted for these consumers. */
export async function readEventDepth(db: Executor, consumers: string[]): Promise<EventDepth> {
  const [row] = await depth(db, consumers)
  if (!row) throw new Error('the database returned no row')
  return row
}
