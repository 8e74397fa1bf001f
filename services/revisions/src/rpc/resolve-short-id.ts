import type { Ctx } from '../context.js'
import { prefixOf } from '../domain/short-id.js'
import { findByShortId } from '../queries/short-ids.js'
import type { Impl } from '../routes.js'

/** Permissions are checked later, by the call with the id. */
export function resolveShortId(ctx: Ctx): Impl['resolveShortId'] {
  return async ({ shortId }) => {
    if (prefixOf(shortId) === undefined) return {}
    return { id: (await findByShortId(ctx.db, shortId)) ?? '' }
  }
}
