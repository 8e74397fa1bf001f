import { type Cursor, decodeCursor, encodeCursor } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'

const positionMax = 2 ** 31 - 1

/** The orders of lists: by position, if the list has positions, then by creation; the reverse; by name; by the last change. */
export type ListOrder = 'oldest' | 'newest' | 'name' | 'changed'

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
  if (!/^\d{1,10}$/.test(token.slice(0, dot)) || position > positionMax || !cursor) throw unknown()
  return { ...cursor, position }
}

const unknown = () => invalid('page_token', 'is not a page token of this list')

/** The last row of a page in the order of names. */
export type NameCursor = { name: string; seq: string }

export function encodeNameCursor({ name, seq }: { name: string; seq: bigint }): string {
  return Buffer.from(JSON.stringify([name, seq.toString()])).toString('base64url')
}

/** PostgreSQL must be able to read the values. */
export function decodeNameCursor(token: string): NameCursor | undefined {
  if (!token) return undefined
  const [name, seq] = parsed(token)
  const isName = typeof name === 'string' && isStorable(name)
  if (!isName || typeof seq !== 'string' || !/^\d{1,18}$/.test(seq)) throw unknown()
  return { name, seq }
}

const isStorable = (text: string) => !text.includes('\0') && Buffer.from(text).toString() === text

function parsed(token: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}

/** The end of a page, of any order. */
export type OrderedCursor = ChildCursor | NameCursor | Cursor

/** Separates the order from its cursor; other characters of tokens are those of base64url, digits and a dot. */
const separator = '~'

type Row = { position: number; created_on: string; seq: bigint; sort_key: string | null }

type ByAge = {
  encode(row: Row): string
  decode(token: string): OrderedCursor | undefined
}

/** The page tokens of a list in each order. Those of the default order have no prefix, as those of lists without orders. */
const cursorsOf = (byAge: ByAge) => ({
  encode(order: ListOrder, row: Row): string {
    if (order === 'oldest') return byAge.encode(row)
    const { seq, sort_key } = row
    const key = sort_key ?? ''
    const rest = {
      newest: () => byAge.encode(row),
      name: () => encodeNameCursor({ name: key, seq }),
      changed: () => encodeCursor({ createdOn: key, seq: seq.toString() }),
    }[order]()
    return `${order}${separator}${rest}`
  },

  /** Rejects the token of another order. */
  decode(order: ListOrder, token: string): OrderedCursor | undefined {
    if (!token) return undefined
    if (order === 'oldest') return byAge.decode(token)
    const prefix = `${order}${separator}`
    const rest = token.slice(prefix.length)
    if (!token.startsWith(prefix) || rest === '') throw unknown()
    const decode = { newest: byAge.decode, name: decodeNameCursor, changed: decodeCursor }[order]
    return decode(rest)
  },
})

export type ListCursors = ReturnType<typeof cursorsOf>

/** Of lists with positions. */
export const childCursors = cursorsOf({ encode: encodeChildCursor, decode: decodeChildCursor })

/** Of lists by age. */
export const ageCursors = cursorsOf({
  encode: ({ created_on, seq }) => encodeCursor({ createdOn: created_on, seq: seq.toString() }),
  decode: decodeCursor,
})
