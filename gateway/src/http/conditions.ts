import type { IncomingHttpHeaders } from 'node:http'

/** Bytes of something: `length` of them, from `offset` on. */
export type ByteRange = { offset: number; length: number }

/** Whether `If-None-Match` names what has this ETag, strong or weak. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const known = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag)
}

/**
 * The part that `Range` asks for; undefined: all. So it is too when `If-Range` is about something else,
 * and for what is no single range of bytes, as RFC 9110 allows. `none`: there is no such part.
 */
export function wantedRange(
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
 * Whether `Accept` asks for the bytes of something rather than for JSON that tells of it: it names a
 * type, and none that JSON is.
 */
export function wantsBytes(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').flatMap((item) => {
    const [type = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    return type && !parameters.some((one) => /^q\s*=\s*0(\.0*)?$/.test(one)) ? [type] : []
  })
  return types.length > 0 && !types.some((type) => jsonTypes.test(type))
}

const jsonTypes = /^(\*\/\*|application\/(\*|json|[\w.-]+\+json))$/
