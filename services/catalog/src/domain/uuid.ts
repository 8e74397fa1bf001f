import { isUuid, notFound, unauthenticated } from '@figbase/kit'
import type { NodeKind } from '../db/schema.js'
import type { Subject } from './subject.js'
import { nounOf } from './types.js'

/** What is no UUID names no object; an anonymous caller learns not even that. */
export function uuidOrNotFound(id: string, subject: Subject, kind?: NodeKind): string {
  if (isUuid(id)) return id.toLowerCase()
  if (!subject.username) throw unauthenticated('not_authenticated', 'sign in first')
  throw notFound(kind ? nounOf[kind] : 'this object')
}
