import { isUuid } from '@figbase/kit'
import type { Input } from '../endpoint.js'
import { HttpError } from '../http/errors.js'

/** The id in the address of a page; 404 for what can be none, whoever asks. */
export function idIn({ params: { id = '' } }: Input): string {
  if (!isUuid(id)) throw new HttpError(404, 'not_found', 'there is no such page')
  return id
}
