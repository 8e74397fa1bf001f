import { isUuid } from '@figbase/kit/ids'
import type { Input } from '../endpoint.js'
import { HttpError } from '../http/errors.js'
import { mayBeShortId } from '../http/short-id.js'

/** The id in the path of a page; throws a 404 if it is not a UUID. */
export function idIn({ params: { id = '' } }: Input): string {
  if (!isUuid(id)) throw pageNotFound()
  return id
}

/** The id of a figure revision, which may also be an unknown short id. */
export function revisionIdIn(input: Input): string {
  const { id = '' } = input.params
  return mayBeShortId(id) ? id : idIn(input)
}

export const pageNotFound = (): HttpError => new HttpError(404, 'not_found', 'page not found')
