import { isUuid } from '@figbase/kit/ids'
import { exportsPrefix } from '@figbase/kit/objects'

export const exportKey = (id: string): string => `${exportsPrefix}${id}`

/** Undefined for a key that this service does not create. */
export function exportOf(key: string): string | undefined {
  const id = key.slice(exportsPrefix.length)
  return key.startsWith(exportsPrefix) && isUuid(id) ? id : undefined
}
