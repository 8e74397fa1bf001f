import { isUuid } from '@figbase/kit/ids'
import { unknownTask } from '../errors.js'

/** Throws `not_found` when the id is not a UUID. */
export function taskId(id: string): string {
  if (!isUuid(id)) throw unknownTask()
  return id.toLowerCase()
}
