import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { type ChildFilterSchema, ChildOrder } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Input } from '../../endpoint.js'

const date = z.union([z.literal(''), z.iso.date()]).optional()

/** `list` shows only the list with this name, from `cursor` on; the others select and order what is in it. */
export const browseQuery = z.object({
  list: z.string().optional(),
  cursor: z.string().max(2000).optional(),
  view: z.enum(['grid', 'list']).optional(),
  sort: z.enum(['', 'name', 'newest', 'changed']).optional(),
  words: z.string().max(1000).optional(),
  by: z.string().max(100).optional(),
  from: date,
  until: date,
})

export type BrowseQuery = z.infer<typeof browseQuery>
export type View = NonNullable<BrowseQuery['view']>
export type Sort = NonNullable<BrowseQuery['sort']>

export const queryOf = ({ query }: Input): BrowseQuery => query as BrowseQuery

const orders: Record<Sort, ChildOrder> = {
  '': ChildOrder.UNSPECIFIED,
  name: ChildOrder.NAME,
  newest: ChildOrder.NEWEST,
  changed: ChildOrder.CHANGED,
}

const dayMs = 24 * 60 * 60 * 1000
const timeOf = (day: string, days = 0) => timestampFromMs(Date.parse(day) + days * dayMs)

/** The order and the filter of a list. Days are those of UTC; `until` is the last one. */
export function selectionOf({ sort = '', words = '', by = '', from, until }: BrowseQuery) {
  const filter: MessageInitShape<typeof ChildFilterSchema> = {
    words: words.split(/\s+/).filter((word) => word !== ''),
    createdBy: by.trim(),
    ...(from && { createdFrom: timeOf(from) }),
    ...(until && { createdUntil: timeOf(until, 1) }),
  }
  return { order: orders[sort], filter }
}

export const isFiltered = ({ words, by, from, until }: BrowseQuery): boolean =>
  [words, by, from, until].some((value) => value)

/** The address of a list with some other parameters; an empty one is left out. */
export function listPath(input: Input, changed: BrowseQuery): string {
  const [path = ''] = input.url.split('?')
  const { cursor: _, ...kept } = queryOf(input)
  const given = Object.entries({ ...kept, ...changed }).filter(([, value]) => value)
  const query = new URLSearchParams(given as [string, string][]).toString()
  return query ? `${path}?${query}` : path
}
