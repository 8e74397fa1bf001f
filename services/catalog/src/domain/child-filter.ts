import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { isValidTime, toIso } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { type ChildFilter as Filter, ChildOrder as Order } from '@figbase/proto/catalog'
import type { NodeKind } from '../db/schema.js'
import type { ListOrder } from './child-cursor.js'

const wordsMax = 10
const charsMax = 100

const orders: Record<Order, ListOrder> = {
  [Order.UNSPECIFIED]: 'oldest',
  [Order.NEWEST]: 'newest',
  [Order.NAME]: 'name',
  [Order.CHANGED]: 'changed',
}

export function requireOrder(order: Order, kind: NodeKind): ListOrder {
  const found: ListOrder | undefined = orders[order]
  if (!found) throw invalid('order', 'is unknown')
  const isUnnamed = kind === 'figure_revision' || kind === 'asset_revision'
  if (found === 'name' && isUnnamed) throw invalid('order', 'must not be NAME: revisions have none')
  return found
}

/** Null members do not filter. */
export type ChildFilter = {
  words: string[]
  createdBy: string | null
  createdFrom: string | null
  createdUntil: string | null
}

/** Undefined if it filters nothing. */
export function parseFilter(filter: Filter | undefined): ChildFilter | undefined {
  if (!filter) return undefined
  const { words, createdBy, createdFrom, createdUntil } = filter
  if (words.length > wordsMax) throw invalid('words', `must have at most ${wordsMax} elements`)
  for (const word of words) checkWord('words', word)
  if (createdBy !== '') checkWord('created_by', createdBy)
  if (words.length === 0 && !createdBy && !createdFrom && !createdUntil) return undefined
  return {
    words,
    createdBy: createdBy || null,
    createdFrom: timeIn('created_from', createdFrom),
    createdUntil: timeIn('created_until', createdUntil),
  }
}

function checkWord(field: string, word: string) {
  if (word === '' || word.length > charsMax || word.includes('\0')) {
    throw invalid(field, `must have 1 to ${charsMax} characters, without NUL`)
  }
}

function timeIn(field: string, time: Timestamp | undefined) {
  if (!time) return null
  if (!isValidTime(time)) throw invalid(field, 'must be a time from 1970 to 9999')
  return toIso(time)
}
