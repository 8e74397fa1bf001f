import { invalid } from '../errors/errors.js'
import { isTimestamp } from './time.js'

/** End of a page: the values of the sort columns in its last row. */
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
    // Falls through to the error below.
  }
  throw invalid('page_token', 'is not a page token of this list')
}

/** The token comes from the caller: PostgreSQL must be able to read its values. */
const isSequence = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{1,18}$/.test(value)

/** Makes a page of `limit` rows, and the token of the next page, from a query for `limit + 1` rows. */
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
