import { notFound } from '@figbase/kit/errors'
import { requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { isUsername } from '../domain/new-user.js'
import { findUser } from '../queries/users.js'
import type { Impl } from '../routes.js'
import { toUser } from '../wire.js'

export function getUser(ctx: Ctx): Impl['getUser'] {
  return async (req, call) => {
    const reader = requireUser(call)
    const row = isUsername(req.username) ? await findUser(ctx.db, req.username) : undefined
    if (!row) throw notFound('this user')
    return { user: toUser(row, reader) }
  }
}
