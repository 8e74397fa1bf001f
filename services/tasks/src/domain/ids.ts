import { isUuid } from '@figbase/kit'
import { unknownTask } from '../errors.js'

/** What is no UUID names no task. */
export function taskId(id: string): string {
  if (!isUuid(id)) throw unknownTask()
  return id.toLowerCase()
}
