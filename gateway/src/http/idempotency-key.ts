import type { IncomingHttpHeaders } from 'node:http'
import { invalid } from '@figbase/kit/errors'
import type { Endpoint } from '../endpoint.js'
import { HttpError } from './errors.js'

const keyPattern = /^[\x21-\x7e]{1,255}$/

/**
 * The key of a request: the text of `Idempotency-Key`, in quotes as its draft says, or without, as many clients send
 * it. Undefined without the header, and for routes on which it has no effect.
 */
export function idempotencyKeyOf(
  { idempotencyKey }: Pick<Endpoint, 'idempotencyKey'>,
  { 'idempotency-key': header }: IncomingHttpHeaders,
): string | undefined {
  if (header === undefined) return undefined
  if (idempotencyKey === 'secret') throw refused()
  if (idempotencyKey !== 'supported') return undefined
  const key = String(header).replace(/^"(.*)"$/, '$1')
  if (!keyPattern.test(key))
    throw invalid('Idempotency-Key', 'must have 1 to 255 visible ASCII characters, without spaces')
  return key
}

const refused = () =>
  new HttpError(
    400,
    'idempotency_key_unsupported',
    'Idempotency-Key: not supported here, because the response contains a secret, which is not stored: omit it',
  )
