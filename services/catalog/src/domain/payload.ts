import { createHash } from 'node:crypto'

type Value = string | number | bigint | boolean | Uint8Array | null | undefined

const textCharsMax = 500

/**
 * Canonical JSON of a change: members sorted by name, no whitespace. Long texts and bytes are replaced by their
 * length and digest; bigints become strings; undefined members are omitted.
 */
export function canonicalPayload(members: Record<string, Value>): string {
  const entries = Object.entries(members)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => [name, bounded(value)])
  return JSON.stringify(Object.fromEntries(entries))
}

function bounded(value: Value) {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return { bytes: value.length, sha256: sha256(value) }
  if (typeof value === 'string' && value.length > textCharsMax) {
    return { chars: value.length, sha256: sha256(value) }
  }
  return value
}

const sha256 = (value: string | Uint8Array) => createHash('sha256').update(value).digest('hex')
