import type { Input } from '../endpoint.js'
import { HttpError } from '../http/errors.js'

/** The version of an object's own fields; what is below it does not count. */
export const etagOf = ({ version }: { version: number }): Record<string, string> => ({
  etag: `"${version}"`,
})

/**
 * The version that `If-Match` asks for; none when any will do. Of a list, the current one: `read` answers
 * what has it.
 */
export async function expectedVersion(
  { headers }: Input,
  read: () => Promise<{ version: number }>,
): Promise<{ expectedVersion?: number }> {
  const condition = headers['if-match']?.trim()
  if (condition === undefined || condition === '*') return {}
  const versions = [...condition.matchAll(/(?:^|,)\s*"(\d{1,9})"\s*(?=,|$)/g)].map(versionIn)
  const [only] = versions
  if (only === undefined) throw mismatch()
  if (versions.length === 1) return { expectedVersion: only }
  const { version } = await read()
  if (!versions.includes(version)) throw mismatch()
  return { expectedVersion: version }
}

const versionIn = ([, digits]: RegExpMatchArray) => Number(digits)
export const mismatch = (): HttpError =>
  new HttpError(412, 'version_mismatch', 'If-Match: no such version')
