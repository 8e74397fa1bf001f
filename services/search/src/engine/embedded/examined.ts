import type { Filter, FindOptions } from '../port.js'

/** Parts of the statements that find documents. */

export type FilterValues = {
  roots: string[]
  recent: string[]
  types: string[] | null
  limit: number
  offset: number
  /** Of all roots together. */
  newestMax: number
  /** Of each root, to find out since when there are `newestMax`. */
  firstMax: number
}

export function filterValues(
  { roots, recent, types }: Filter,
  { limit, offset }: FindOptions,
  newestMax: number,
): FilterValues {
  const share = Math.ceil((2 * newestMax) / Math.max(1, roots.length + recent.length))
  const firstMax = Math.min(newestMax, Math.max(firstMin, share))
  return { roots, recent, types: types ?? null, limit, offset, newestMax, firstMax }
}

/** Most roots are small: the larger ones need more than their share. */
const firstMin = 200

export const live = '(select generation from live_index)'

/** The ids of matching documents, up to one more than `max`, in no order. */
export const matchesOf = (query: string, max: string): string => `
  select e.id from entry e where e.generation = ${live} and e.words @@ ${query}::tsquery limit ${max} + 1`

/** One row if the document matches. Only the words of documents that are reached are read. */
export const matches = (id: string, query: string): string => `
  lateral (select 1 from entry e
            where e.generation = ${live} and e.id = ${id} and e.words @@ ${query}::tsquery offset 0) e`

/** Read for one matching document after the other: the table of places may be large, and a search ends early. */
export const placeOf = (id: string): string =>
  `lateral (select p.* from place p where p.id = ${id} limit 1) p`

const isBelow = (ids: string) => `
  (p.workspace_id in (select unnest(${ids}::uuid[])) or p.analysis_id in (select unnest(${ids}::uuid[]))
   or p.item_id in (select unnest(${ids}::uuid[])) or p.id in (select unnest(${ids}::uuid[])))`

export const hasType = '(:types::text[] is null or p.type = any(:types::text[]))'

/** A plan that is used for all values must not compare the place of each object with all roots: they are hashed. */
export const isReadable = `
  (p.hidden_by is null and ${isBelow(':roots')}
   or cardinality(:recent::uuid[]) > 0 and ${isBelow(':recent')})
  and ${hasType}`
