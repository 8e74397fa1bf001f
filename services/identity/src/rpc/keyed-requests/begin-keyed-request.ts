import { Code } from '@connectrpc/connect'
import { failure, invalid } from '@figbase/kit/errors'
import { principal, requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { beginKeyedRequest as begin } from '../../queries/keyed-requests.js'
import type { KeyedRequestsImpl } from '../../routes.js'
import { toAnswer } from './wire.js'

const keyCharsMax = 255

export function beginKeyedRequest(ctx: Ctx): KeyedRequestsImpl['beginKeyedRequest'] {
  const { keyRetentionMs: retentionMs } = ctx.cfg
  return async (req, call) => {
    const owner = requireUser(call)
    const { key } = req
    if (!key || key.length > keyCharsMax)
      throw invalid('Idempotency-Key', `must have 1 to ${keyCharsMax} characters`)
    const apiKeyId = principal(call).apiKey?.id ?? ''
    const fingerprint = req.fingerprint.length > 0 ? Buffer.from(req.fingerprint) : null
    const row = await ctx.write((db) =>
      begin(db, { owner, apiKeyId, key, id: ctx.newId(), fingerprint, retentionMs }),
    )
    if (fingerprint && row.fingerprint && !row.fingerprint.equals(fingerprint)) throw keyReused()
    return { id: row.id, fingerprint: row.fingerprint ?? Buffer.alloc(0), answer: toAnswer(row) }
  }
}

const keyReused = () =>
  failure(
    Code.InvalidArgument,
    'idempotency_key_reused',
    'Idempotency-Key: was used for another request: use a new key for each request',
  )
