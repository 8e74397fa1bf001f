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
import { closenessOf, type RankedId, rankOf, wordsOf } from './rank.js'

type Limits = Pick<
  FindLimits,
  'rankedMax' | 'matchedMax' | 'newestMax' | 'enoughMax' | 'lookedUpMax'
>

const all = statement<RankedId, FilterValues & CompiledTerm & Limits>(`
  with matched as materialized (
    ${matchesOf(':match', ':matchedMax')}
  ), readable as materialized (
    select * from (${newestReadable}) n where (select count(*) from matched) > :matchedMax
  ), newest as materialized (
    select n.id, n.created_on from readable n cross join ${matches('n.id', ':match')}
     order by n.created_on desc, n.id limit :rankedMax
  ), older as materialized (
    select p.id, p.created_on
      from (${matchesOf(':match', ':lookedUpMax')}) m cross join ${placeOf('m.id')}
     where (select count(*) from readable) = :newestMax
       and (select count(*) from newest) < :enoughMax and ${isReadable}
     order by p.created_on desc, p.id limit :rankedMax
  ), matching as materialized (
    select id, created_on from newest
    union
    select id, created_on from older
    union
    (select p.id, p.created_on from matched m cross join ${placeOf('m.id')}
      where (select count(*) from matched) <= :matchedMax and ${isReadable}
      order by p.created_on desc, p.id limit :rankedMax)
  )
  select m.id, ${rankOf(':')} * ${closenessOf(':')} as rank
    from matching m cross join ${wordsOf('m.id')}
   order by rank desc, m.created_on desc, m.id limit :limit offset :offset`)

/**
 * Documents that match all terms, the newest `rankedMax` of them. If more than `matchedMax` match, they are those of
 * the newest `newestMax` that the caller may find. If fewer than `enoughMax` of these match and the caller may find more
 * documents, up to `lookedUpMax` matches are looked up. Uses entry_words_idx, entry_pkey, place_pkey and the indexes of
 * `newestReadable`.
 */
export function findAll(
  db: Db,
  query: CompiledTerm,
  filter: Filter,
  page: FindOptions,
  { rankedMax, matchedMax, newestMax, enoughMax, lookedUpMax }: Limits,
): Promise<RankedId[]> {
  const values = filterValues(filter, page, newestMax)
  return all(db, { ...query, rankedMax, matchedMax, enoughMax, lookedUpMax, ...values })
}
