import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import type { ListOrder, OrderedCursor } from '../domain/child-cursor.js'
import type { ChildFilter } from '../domain/child-filter.js'
import { type ListedNode, listedColumns, summedColumns, sums } from './node-sql.js'

export type OrderedNode = ListedNode & { sort_key: string | null }

/** How to read a page: in which order, which nodes, after which one. */
export type ListView = {
  order?: ListOrder
  filter?: ChildFilter | undefined
  after?: OrderedCursor | undefined
}

/** SQL for the nodes of a list, as `n`. */
export type ListSource = {
  from: string
  where: string
  /** Whether the list is ordered by position, and only then by age. */
  hasPositions: boolean
  /** Whether an index has each order but the one by change. Otherwise the list is sorted before its sums are read. */
  isIndexed: boolean
  /** The condition of the index by name. */
  indexedNames?: string
  /** When a node or anything below it was changed last. */
  changedOn: string
}

/** The time of the last change of the node `node`, with that of the changes below it. */
export const lastChangeOf = (node: string): string => `
  greatest(${node}.created_on, ${node}.updated_on,
           (select s.child_updated_on from node_stat s where s.node_id = ${node}.id),
           (select max(x.at) from node_delta x where x.node_id = ${node}.id))`

const name = 'left(n.name, 200) collate "und-x-icu"'

type OrderSql = { key: string; order: string; later: string }

function byAge(hasPositions: boolean, isReverse: boolean): OrderSql {
  const position = hasPositions ? 'n.position, ' : ''
  const columns = `${position}n.created_on, n.seq`
  const after = `${hasPositions ? ':position::int, ' : ''}:createdOn::timestamptz, :seq::bigint`
  return {
    key: 'null::text',
    order: isReverse ? `${columns.replaceAll(',', ' desc,')} desc` : columns,
    later: `(${columns}) ${isReverse ? '<' : '>'} (${after})`,
  }
}

const byName: OrderSql = {
  key: 'left(n.name, 200)',
  order: `${name}, n.seq`,
  later: `(${name}, n.seq) > (:name::text, :seq::bigint)`,
}

const filterSql = `
  and (:createdBy::text is null or n.created_by = :createdBy)
  and (:createdFrom::timestamptz is null or n.created_on >= :createdFrom::timestamptz)
  and (:createdUntil::timestamptz is null or n.created_on < :createdUntil::timestamptz)
  and not exists (
    select from unnest(:words::text[]) word
     where strpos(lower(n.name collate "und-x-icu"), lower(word collate "und-x-icu")) = 0 offset 0)`

type Parts = { source: ListSource; isLater: boolean; filter: string }

function inOrder(sql: OrderSql, { source, isLater, filter }: Parts) {
  const { from, where, isIndexed } = source
  const rows = `where ${where} ${filter} ${isLater ? `and ${sql.later}` : ''}
   order by ${sql.order} limit :limit`
  return isIndexed
    ? `select ${listedColumns}, ${summedColumns}, ${sql.key} as sort_key from ${from} ${sums} ${rows}`
    : `with n as materialized (select n.*, ${sql.key} as sort_key from ${from} ${rows})
       select ${listedColumns}, ${summedColumns}, n.sort_key from n ${sums} order by ${sql.order}`
}

const byChange = ({ source, isLater, filter }: Parts) => `
  with n as materialized (
    select f.* from (
      select n.*, ${source.changedOn} as sort_key
        from ${source.from} where ${source.where} ${filter} offset 0
    ) f
    ${isLater ? 'where (f.sort_key, f.seq) < (:createdOn::timestamptz, :seq::bigint)' : ''}
    order by f.sort_key desc, f.seq desc limit :limit
  )
  select ${listedColumns}, ${summedColumns}, n.sort_key from n ${sums}
   order by n.sort_key desc, n.seq desc`

function sqlOf(order: ListOrder, parts: Parts) {
  if (order === 'changed') return byChange(parts)
  const { source } = parts
  if (order !== 'name') return inOrder(byAge(source.hasPositions, order === 'newest'), parts)
  const { where, indexedNames } = source
  const named = indexedNames ? { ...source, where: `${where} and ${indexedNames}` } : source
  return inOrder(byName, { ...parts, source: named })
}

/**
 * Reads the pages of a list. `changed` reads the sums of all nodes of the list by keys, and a filter skips nodes in the
 * order of the list: both cost a few microseconds for each node. There is a statement for each combination, because one
 * statement with everything would have a plan that fits none.
 */
export function orderedList<Values extends { limit: number }>(source: ListSource) {
  type All = Values & Partial<ChildFilter> & Partial<OrderedCursor>
  const page = (order: ListOrder, isLater: boolean, isFiltered: boolean) => {
    const parts = { source, isLater, filter: isFiltered ? filterSql : '' }
    return statement<OrderedNode, All>(sqlOf(order, parts))
  }
  const pages = new Map<string, ReturnType<typeof page>>()
  return (db: Db, of: Values, { order = 'oldest', filter, after }: ListView = {}) => {
    const key = [order, after !== undefined, filter !== undefined].join()
    const list = pages.get(key) ?? page(order, after !== undefined, filter !== undefined)
    pages.set(key, list)
    return list(db, { ...of, ...filter, ...after })
  }
}
