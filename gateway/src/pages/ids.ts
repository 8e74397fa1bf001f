import { isUuid } from '@figbase/kit'
import type { Input } from '../endpoint.js'
import { HttpError } from '../http/errors.js'
import { mayBeShortId } from '../http/short-id.js'

/** The id in the address of a page; 404 for what can be none, whoever asks. */
export function idIn({ params: { id = '' } }: Input): string {
  if (!isUuid(id)) throw noSuchAddress()
  return id
}

/** The same for a figure revision, also for a short id that nobody has. */
export function revisionIdIn(input: Input): string {
  const { id = '' } = input.params
  return mayBeShortId(id) ? id : idIn(input)
}

const noSuchAddress = () => new HttpError(404, 'not_found', 'there is no such page')
