import type { IncomingHttpHeaders } from 'node:http'

/** A range of bytes; `offset` counts from 0. */
export type ByteRange = { offset: number; length: number }

/** Whether `If-None-Match` matches an ETag, by weak comparison. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const known = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag)
}

/**
 * The range that `Range` requests; undefined for all bytes. `none`: the range is not satisfiable. As RFC 9110
 * allows, ignores anything but a single byte range, and any range if `If-Range` does not match.
 */
export function requestedRange(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  etag: string,
  lengthBytes: number,
): ByteRange | 'none' | undefined {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  const match = /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(range)
  if (!match) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  if (first === '') return suffix(Number(last), lengthBytes)
  const offset = Number(first)
  const end = last === '' ? lengthBytes : Math.min(Number(last) + 1, lengthBytes)
  if (last !== '' && Number(last) < offset) return undefined
  return offset < lengthBytes ? { offset, length: end - offset } : 'none'
}

function suffix(wanted: number, lengthBytes: number) {
  const length = Math.min(wanted, lengthBytes)
  return length > 0 ? { offset: lengthBytes - length, length } : 'none'
}

/**
 * Whether `Accept` asks for raw bytes rather than JSON: it lists at least one type, and none that matches JSON.
 */
export function wantsBytes(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').flatMap((item) => {
    const [type = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    return type && !parameters.some((one) => /^q\s*=\s*0(\.0*)?$/.test(one)) ? [type] : []
  })
  return types.length > 0 && !types.some((type) => jsonTypes.test(type))
}

const jsonTypes = /^(\*\/\*|application\/(\*|json|[\w.-]+\+json))$/
