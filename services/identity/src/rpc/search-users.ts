import { invalid } from '@figbase/kit/errors'
import { requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { hasMoreCharacters } from '../domain/new-user.js'
import { searchUsers as searchRows } from '../queries/users.js'
import type { Impl } from '../routes.js'
import { toUser } from '../wire.js'

const pageSizeDefault = 20
const pageSizeMax = 100
/** The longest first and last name with the space between them. */
const queryLengthMax = 301

export function searchUsers(ctx: Ctx): Impl['searchUsers'] {
  return async (req, call) => {
    const reader = requireUser(call)
    const prefix = parseQuery(req.query)
    const limit = req.pageSize > 0 ? Math.min(req.pageSize, pageSizeMax) : pageSizeDefault
    const rows = await searchRows(ctx.db, prefix, limit)
    return { users: rows.map((row) => toUser(row, reader)) }
  }
}

function parseQuery(query: string) {
  const prefix = query.trim()
  if (!prefix) throw invalid('q', 'is required')
  if (hasMoreCharacters(prefix, queryLengthMax)) {
    throw invalid('q', `may have at most ${queryLengthMax} characters`)
  }
  if (/[\p{Cc}\p{Cs}]/u.test(prefix)) throw invalid('q', 'may not contain control characters')
  return prefix
}
