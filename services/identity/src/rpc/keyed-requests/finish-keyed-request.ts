import { notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { finishKeyedRequest as finish } from '../../queries/keyed-requests.js'
import type { KeyedRequestsImpl } from '../../routes.js'
import { toAnswer } from './wire.js'

export function finishKeyedRequest(ctx: Ctx): KeyedRequestsImpl['finishKeyedRequest'] {
  return async ({ id, answer }, call) => {
    const owner = requireUser(call)
    if (!isUuid(id) || !answer) throw notFound('this request')
    const { status, body } = answer
    const headers = JSON.stringify(answer.headers)
    const row = await ctx.write((db) => finish(db, { owner, id, status, headers, body }))
    if (!row) throw notFound('this request')
    return { answer: toAnswer(row) }
  }
}
