import { isUuid, notFound, unauthenticated } from '@figbase/kit'
import type { NodeKind } from '../db/schema.js'
import { nounOf } from './types.js'

/** What is no UUID names no object; an anonymous caller learns not even that. */
export function uuidOrNotFound(id: string, subject: string, kind?: NodeKind): string {
  if (isUuid(id)) return id.toLowerCase()
  if (!subject) throw unauthenticated('not_authenticated', 'sign in first')
  throw notFound(kind ? nounOf[kind] : 'this object')
}
