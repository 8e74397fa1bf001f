import { statement } from '@figbase/kit/db'
import type { Db } from '../../db/schema.js'
import type { Filter, FindOptions } from '../port.js'
import type { CompiledTerm } from './compile-query.js'
import {
  type FilterValues,
  filterValues,
  isReadable,
  matches,
  matchesOf,
  placeOf,
} from './examined.js'
import type { FindLimits } from './limits.js'
import { newestReadable } from './newest-readable.js'
import { type RankedId, rankOf, wordsOf } from './rank.js'

type Lists = {
  matches: string[]
  exacts: string[]
  looses: string[]
  correcteds: (string | null)[]
  /** Of each term. */
  candidatesMax: number
  matchedMax: number
  readMax: number
  lookedUpMax: number
}

type Limits = Pick<FindLimits, 'candidatesMax' | 'matchedMax' | 'newestMax' | 'lookedUpMax'>

/** Conditions without columns are checked in their order: `matched` is counted last, because that reads all of it. */
const any = statement<RankedId, FilterValues & Lists>(`
  with term as materialized (
    select * from unnest(:matches::tsquery[], :exacts::tsquery[], :looses::tsquery[],
                         :correcteds::tsquery[])
      with ordinality as t (match, exact, loose, corrected, number)
  ), newest as materialized (
    ${newestReadable}
  ), candidate as materialized (
    select distinct c.id, c.created_on
      from term t cross join lateral (
        with matched as materialized (
          ${matchesOf('t.match', ':matchedMax')}
        ), readable as materialized (
          select p.id, p.created_on from matched m cross join ${placeOf('m.id')}
           where ${isReadable} limit :candidatesMax
        ), newer as materialized (
          select n.id, n.created_on from (select * from newest limit :readMax) n
           cross join ${matches('n.id', 't.match')}
           where (select count(*) from readable) < :candidatesMax
             and (select count(*) from matched) > :matchedMax
           limit :candidatesMax
        )
        select * from readable
        union all
        select * from newer
        union all
        (select p.id, p.created_on
           from (${matchesOf('t.match', ':lookedUpMax')}) m cross join ${placeOf('m.id')}
          where not exists (select from readable) and not exists (select from newer)
            and (select count(*) from matched) > :matchedMax
            and exists (select from newest offset :readMax - 1) and ${isReadable}
          limit :candidatesMax)) c
  ), ranked as materialized (
    select c.id, c.created_on, t.number, ${rankOf('t.')} as rank
      from candidate c
     cross join ${wordsOf('c.id')}
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
 * The terms share the limits. The newest documents are read only for a term whose first matches are other callers'; if
 * none of them matches and there are older ones, up to `lookedUpMax` matches are looked up. Uses entry_words_idx,
 * entry_pkey, place_pkey and the indexes of `newestReadable`.
 */
export function findAny(
  db: Db,
  queries: CompiledTerm[],
  filter: Filter,
  page: FindOptions,
  { candidatesMax, matchedMax, newestMax, lookedUpMax }: Limits,
): Promise<RankedId[]> {
  const each = (max: number) => Math.ceil(max / queries.length)
  return any(db, {
    matches: queries.map(({ match }) => match),
    exacts: queries.map(({ exact }) => exact),
    looses: queries.map(({ loose }) => loose),
    correcteds: queries.map(({ corrected }) => corrected),
    ...{ candidatesMax, matchedMax: each(matchedMax), readMax: each(newestMax) },
    lookedUpMax: each(lookedUpMax),
    ...filterValues(filter, page, newestMax),
  })
}
