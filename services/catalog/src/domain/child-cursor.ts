import { type Cursor, decodeCursor, encodeCursor } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'

const positionMax = 2 ** 31 - 1

/** The last row of a page of children, which are ordered by position, then by creation. */
export type ChildCursor = Cursor & { position: number }

export function encodeChildCursor(row: { position: number; created_on: string; seq: bigint }) {
  const rest = encodeCursor({ createdOn: row.created_on, seq: row.seq.toString() })
  return `${row.position}.${rest}`
}

export function decodeChildCursor(token: string): ChildCursor | undefined {
  if (!token) return undefined
  const dot = token.indexOf('.')
  const cursor = decodeCursor(token.slice(dot + 1))
  const position = Number(token.slice(0, dot))
  if (!/^\d{1,10}$/.test(token.slice(0, dot)) || position > positionMax || !cursor) {
    throw invalid('page_token', 'is not a page token of this list')
  }
  return { ...cursor, position }
}
