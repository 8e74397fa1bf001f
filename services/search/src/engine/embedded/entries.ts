import { statement } from '@figbase/kit/db'
import { sql } from 'kysely'
import type { Db } from '../../db/schema.js'
import type { Filter, FoundType, Generation } from '../port.js'

export type NewEntry = { id: string; words: string; fields: string }

const upserted = statement<never, { generation: number; entries: string }>(`
  insert into entry (generation, id, words, fields)
  select :generation::int, n.id, n.words::tsvector, n.fields::json
    from json_to_recordset(:entries::json) as n (id uuid, words text, fields text)
   order by n.id
  on conflict (generation, id) do update set words = excluded.words, fields = excluded.fields`)

export async function upsertEntries(db: Db, generation: Generation, entries: NewEntry[]) {
  await upserted(db, { generation, entries: JSON.stringify(entries) })
}

const removed = statement<never>(
  'delete from entry where generation = $1::int and id = any($2::uuid[])',
)

export async function removeEntries(db: Db, generation: Generation, ids: string[]) {
  await removed(db, generation, ids)
}

const addedWords = statement<never, { generation: number; variants: string[]; words: string[] }>(`
  insert into word_variant (generation, variant, word)
  select :generation::int, v.variant, v.word
    from unnest(:variants::text[], :words::text[]) v (variant, word)
   order by v.variant, v.word
  on conflict do nothing`)

export async function addWords(
  db: Db,
  generation: Generation,
  variants: string[],
  words: string[],
) {
  await addedWords(db, { generation, variants, words })
}

const similar = statement<{ word: string }>(`
  select distinct v.word from word_variant v, entry_state s
   where v.generation = s.live_generation and v.variant = any($1::text[]) limit $2`)

/** Words that have a variant in common with one that has these. Uses word_variant_pkey. */
export async function listSimilarWords(db: Db, variants: string[], limit: number) {
  return (await similar(db, variants, limit)).map(({ word }) => word)
}

export type FoundEntry = { id: string; score: number }

type FindValues = {
  query: string
  roots: string[]
  recent: string[]
  types: FoundType[] | null
  rankedMax: number
  limit: number
  offset: number
}

const isBelow = (ids: string) =>
  `(p.workspace_id in (${ids}) or p.analysis_id in (${ids}) or p.item_id in (${ids}) or p.id in (${ids}))`

const found = statement<FoundEntry, FindValues>(`
  with root as materialized (
    select id from unnest(:roots::uuid[]) r (id)
  ), recent as materialized (
    select id from unnest(:recent::uuid[]) r (id)
  ), matched as materialized (
    select e.id, e.words, p.created_on
      from entry e join place p on p.id = e.id
     where e.generation = (select s.live_generation from entry_state s) and e.words @@ :query::tsquery
       and (:types::text[] is null or p.type = any(:types))
       and ((p.hidden_by is null and ${isBelow('select id from root')})
            or ${isBelow('select id from recent')})
     order by p.created_on desc limit :rankedMax
  )
  select m.id, ts_rank('{0.1, 0.25, 0.5, 1}', m.words, :query::tsquery, 33)::float8 as score
    from matched m order by score desc, m.created_on desc, m.id limit :limit offset :offset`)

/** Entries of the live index. Uses entry_words_idx and place_pkey. */
export async function findEntries(
  db: Db,
  { roots, recent, types }: Filter,
  rest: Omit<FindValues, 'roots' | 'recent' | 'types'>,
): Promise<FoundEntry[]> {
  return found(db, { roots, recent, types: types ?? null, ...rest })
}

const fieldsOf = statement<{ id: string; fields: Record<string, string> }>(`
  select e.id, e.fields from entry e
   where e.generation = (select s.live_generation from entry_state s) and e.id = any($1::uuid[])`)

/** The texts of entries of the live index. Uses entry_pkey. */
export async function readFields(db: Db, ids: string[]) {
  return new Map((await fieldsOf(db, ids)).map(({ id, fields }) => [id, fields]))
}

const tables = ['entry', 'word_variant']
const partition = (table: string, generation: Generation) => sql.table(`${table}_${generation}`)

/** Does nothing if the partitions exist. */
export async function createPartitions(db: Db, generation: Generation): Promise<void> {
  for (const table of tables) {
    await sql`create table if not exists ${partition(table, generation)}
      partition of ${sql.table(table)} for values in (${sql.lit(generation)})`.execute(db)
  }
}

export async function dropPartitions(db: Db, generation: Generation): Promise<void> {
  for (const table of tables)
    await sql`drop table if exists ${partition(table, generation)}`.execute(db)
}

const published = statement<never>(`
  insert into entry_state (live_generation) values ($1::int)
  on conflict (is_only) do update set live_generation = excluded.live_generation`)

export async function setLive(db: Db, generation: Generation): Promise<void> {
  await published(db, generation)
}

const ping = statement<never>('select from entry_state')

export async function readState(db: Db): Promise<void> {
  await ping(db)
}
