import { invalid } from '../errors.js'
import { isTimestamp } from './time.js'

/** Where a page ended: the values of the columns that the list sorts by. */
export type Cursor = { createdOn: string; seq: string }

export const pageSizeMax = 1000

export function pageSize(requested: number): number {
  return requested > 0 ? Math.min(requested, pageSizeMax) : pageSizeMax
}

export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.createdOn, cursor.seq])).toString('base64url')
}

export function decodeCursor(token: string): Cursor | undefined {
  if (!token) return undefined
  try {
    const [createdOn, seq] = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[]
    if (isTimestamp(createdOn) && isSequence(seq)) return { createdOn, seq }
  } catch {
    // Falls through: not one of ours.
  }
  throw invalid('page_token', 'is not a page token of this list')
}

/** PostgreSQL must be able to read what a caller hands back. */
const isSequence = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{1,18}$/.test(value)

/** A page of `limit` rows from a query for `limit + 1`, and the token of the next one. */
export function toPage<Row extends { created_on: string; seq: bigint }>(
  rows: Row[],
  limit: number,
) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const more = rows.length > limit && last
  return {
    rows: page,
    nextPageToken: more
      ? encodeCursor({ createdOn: last.created_on, seq: last.seq.toString() })
      : '',
  }
}
