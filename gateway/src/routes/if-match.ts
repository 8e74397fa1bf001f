import type { Input } from '../endpoint.js'
import { badRequest, HttpError } from '../http/errors.js'

/** The version of an object's own fields; what is below it does not count. */
export const etagOf = ({ version }: { version: number }): Record<string, string> => ({
  etag: `"${version}"`,
})

/** The version that `If-Match` asks for; undefined when any will do. */
export function expectedVersion({ headers }: Input): { expectedVersion?: number } {
  const condition = headers['if-match']?.trim()
  if (condition === undefined || condition === '*') return {}
  if (condition.includes(',')) throw badRequest('If-Match: give one entity tag')
  const [, version] = /^"(\d{1,9})"$/.exec(condition) ?? []
  if (!version) throw new HttpError(412, 'version_mismatch', 'If-Match: no such version')
  return { expectedVersion: Number(version) }
}
