import type { KeyedRequestRow } from '../../queries/keyed-requests.js'

/** Undefined while the request is not finished. */
export function toAnswer({ status, headers, body }: KeyedRequestRow) {
  if (status === null) return undefined
  return {
    status,
    headers: JSON.parse(headers ?? '{}') as Record<string, string>,
    body: body ?? '',
  }
}
