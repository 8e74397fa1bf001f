import type { ListCursors, ListOrder } from '../domain/child-cursor.js'
import type { OrderedNode } from '../queries/ordered-list.js'

/** Makes a page of `limit` rows, and the token of the next page, from a query for `limit + 1` rows. */
export function toOrderedPage(
  rows: OrderedNode[],
  limit: number,
  order: ListOrder,
  cursors: ListCursors,
) {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    rows: rows.slice(0, limit),
    nextPageToken: last ? cursors.encode(order, last) : '',
  }
}
