import { statement } from '@figbase/kit/db'
import type { Db } from '../../db/schema.js'
import type { Filter, FindOptions } from '../port.js'
import type { CompiledTerm } from './compile-query.js'

export type RankedId = { id: string; rank: number }

/** Of the fields with PostgreSQL's weights D, C, B and A. Chosen on half of the corpus, see WORDS.md. */
const weights = `'{0.05, 0.2, 0.7, 1.0}'::float4[]`
/** Divides a rank by 1 + the logarithm of the number of words: among equals, short texts are more about a word. */
const byLength = 1
const rank = (query: string) =>
  `ts_rank(${weights}, e.words, ${query}::tsquery, ${byLength})::float8`
/** Exact words weigh more than their stems and longer words, these more than corrected words. */
const rankOf = (prefix: string) => `
  0.6 * ${rank(`${prefix}exact`)} + 0.3 * ${rank(`${prefix}loose`)}
  + 0.1 * coalesce(${rank(`${prefix}corrected`)}, 0)`

const isBelow = (ids: string) => `
  (p.workspace_id in (select unnest(${ids}::uuid[])) or p.analysis_id in (select unnest(${ids}::uuid[]))
   or p.item_id in (select unnest(${ids}::uuid[])) or p.id in (select unnest(${ids}::uuid[])))`

/** A plan that is used for all values must not compare the place of each object with all roots: they are hashed. */
const readable = `
  (p.hidden_by is null and ${isBelow(':roots')}
   or cardinality(:recent::uuid[]) > 0 and ${isBelow(':recent')})
  and (:types::text[] is null or p.type = any(:types::text[]))`

const live = '(select generation from live_index)'

/** Planned by itself: beside the cost of all places, that of reading all words would seem the same. */
const matchesOf = (query: string) => `(
  select e.id from entry e where e.generation = ${live} and e.words @@ ${query}::tsquery offset 0)`

/** Read for one matching document after the other: the table of places may be large, and a search ends early. */
const placeOf = 'lateral (select p.* from place p where p.id = e.id limit 1) p'

type Values = {
  roots: string[]
  recent: string[]
  types: string[] | null
  limit: number
  offset: number
}

/** Of a matching document. The words are stored apart from their row: they are read once for all ranks. */
const wordsOf = (matching: string) => `
  lateral (select e.words || ''::tsvector as words from entry e
            where e.generation = ${live} and e.id = ${matching}.id offset 0) e`

const all = statement<RankedId, Values & CompiledTerm & { rankedMax: number }>(`
  with matching as materialized (
    select p.id, p.created_on from ${matchesOf(':match')} e cross join ${placeOf} where ${readable}
     order by p.created_on desc, p.id limit :rankedMax
  )
  select m.id, ${rankOf(':')} as rank
    from matching m cross join ${wordsOf('m')}
   order by rank desc, m.created_on desc, m.id limit :limit offset :offset`)

/** Documents that match all terms, the newest `rankedMax` of them. Uses entry_words_idx, entry_pkey and place_pkey. */
export function findAll(
  db: Db,
  query: CompiledTerm,
  filter: Filter,
  page: FindOptions,
  rankedMax: number,
): Promise<RankedId[]> {
  return all(db, { ...query, rankedMax, ...valuesOf(filter, page) })
}

type Lists = {
  matches: string[]
  exacts: string[]
  looses: string[]
  correcteds: (string | null)[]
  /** Documents to rank, of each term. */
  candidatesMax: number
}

const any = statement<RankedId, Values & Lists>(`
  with term as materialized (
    select * from unnest(:matches::tsquery[], :exacts::tsquery[], :looses::tsquery[],
                         :correcteds::tsquery[])
      with ordinality as t (match, exact, loose, corrected, number)
  ), candidate as materialized (
    select distinct c.id, c.created_on
      from term t cross join lateral (
        select p.id, p.created_on from ${matchesOf('t.match')} e cross join ${placeOf}
         where ${readable} limit :candidatesMax) c
  ), ranked as materialized (
    select c.id, c.created_on, t.number, ${rankOf('t.')} as rank
      from candidate c
     cross join ${wordsOf('c')}
      join term t on e.words @@ t.match
  ), importance as (
    select number, ln(1 + (select count(*) from candidate)::float8 / count(*)) as factor
      from ranked group by number
  )
  select r.id, sum(r.rank * i.factor) / (select sum(factor) from importance) as rank
    from ranked r join importance i using (number)
   group by r.id, r.created_on
   order by rank desc, r.created_on desc, r.id limit :limit offset :offset`)

/**
 * Documents that match one of the terms. A word in few of the readable documents weighs more than a word in many.
 * Uses entry_words_idx, entry_pkey and place_pkey.
 */
export function findAny(
  db: Db,
  queries: CompiledTerm[],
  filter: Filter,
  page: FindOptions,
  candidatesMax: number,
): Promise<RankedId[]> {
  return any(db, {
    matches: queries.map(({ match }) => match),
    exacts: queries.map(({ exact }) => exact),
    looses: queries.map(({ loose }) => loose),
    correcteds: queries.map(({ corrected }) => corrected),
    candidatesMax,
    ...valuesOf(filter, page),
  })
}

const valuesOf = ({ roots, recent, types }: Filter, { limit, offset }: FindOptions): Values => ({
  roots,
  recent,
  types: types ?? null,
  limit,
  offset,
})

const texts = statement<{ id: string; texts: Buffer }>(`
  select e.id, e.texts from entry e
   where e.generation = ${live} and e.id = any($1::uuid[])`)

/** The packed texts of documents by their ids. Uses entry_pkey. */
export async function readTexts(db: Db, ids: string[]): Promise<Map<string, Buffer>> {
  return new Map((await texts(db, ids)).map((row) => [row.id, row.texts]))
}

const similar = statement<{ word: string }>(`
  select w.word from word w where w.generation = ${live} and w.error_keys && $1::int[]`)

/** Words that may become the same word by a typing error. Uses word_error_keys_idx. */
export async function findSimilarWords(db: Db, errorKeys: number[]): Promise<string[]> {
  return (await similar(db, errorKeys)).map(({ word }) => word)
}
