import { notFound, unauthenticated } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import type { NodeKind } from '../db/schema.js'
import type { Subject } from './subject.js'
import { nounOf } from './types.js'

/** Throws 404 for an invalid UUID, but 401 for an anonymous caller, as for an existing object. */
export function uuidOrNotFound(id: string, subject: Subject, kind?: NodeKind): string {
  if (isUuid(id)) return id.toLowerCase()
  if (!subject.username) throw unauthenticated('not_authenticated', 'sign in first')
  throw notFound(kind ? nounOf[kind] : 'this object')
}
