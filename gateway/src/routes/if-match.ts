import { z } from 'zod'
import type { Input } from '../endpoint.js'
import { HttpError } from '../http/errors.js'

/** The header that `expectedVersion` reads. */
export const ifMatchHeader = z.object({ 'If-Match': z.string().optional() })

/** The header that `notModified` reads. */
export const ifNoneMatchHeader = z.object({ 'If-None-Match': z.string().optional() })

/** The ETag of a written object: the version of its own fields, without its children. */
export const etagOf = ({ version }: { version: number }): Record<string, string> => ({
  etag: `"${version}"`,
})

/**
 * The version that `If-Match` requires; empty if any version will do. If the header lists several versions, `read`
 * must read the object to compare its version.
 */
export async function expectedVersion(
  { headers }: Input,
  read: () => Promise<{ version: number }>,
): Promise<{ expectedVersion?: number }> {
  const condition = headers['if-match']?.trim()
  if (condition === undefined || condition === '*') return {}
  const versions = [...condition.matchAll(/(?:^|,)\s*"(\d{1,9})(?:-[\w-]+)?"\s*(?=,|$)/g)].map(
    versionIn,
  )
  const [only] = versions
  if (only === undefined) throw versionMismatch()
  if (versions.length === 1) return { expectedVersion: only }
  const { version } = await read()
  if (!versions.includes(version)) throw versionMismatch()
  return { expectedVersion: version }
}

const versionIn = ([, digits]: RegExpMatchArray) => Number(digits)
export const versionMismatch = (): HttpError =>
  new HttpError(412, 'version_mismatch', 'If-Match: the version does not match')
