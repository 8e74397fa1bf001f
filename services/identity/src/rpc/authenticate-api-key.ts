import { requireSystem } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { isToken } from '../domain/api-key-token.js'
import { toKeyAccess } from '../domain/key-access.js'
import { hashOf } from '../domain/random-token.js'
import { apiKeyRefused } from '../errors.js'
import { countingRefusals } from '../limits.js'
import { findGoodKey, type GoodKey, markUsed } from '../queries/api-keys.js'
import type { Impl } from '../routes.js'

/** Looks each time: nothing is remembered of a key. */
export function authenticateApiKey(ctx: Ctx): Impl['authenticateApiKey'] {
  return async ({ token }, call) => {
    requireSystem(call)
    const key = await countingRefusals(ctx.limits, call, async () => {
      const found = isToken(token) ? await findGoodKey(ctx.db, hashOf(token)) : undefined
      if (!found) throw apiKeyRefused()
      return found
    })
    if (key.is_stale) markLater(ctx, key)
    const { id, owner: username, is_staff, workspace_id: workspaceId } = key
    return {
      principal: {
        username,
        isStaff: is_staff && workspaceId === null,
        apiKey: { id, workspaceId: workspaceId ?? '', access: toKeyAccess(key.access) },
      },
    }
  }
}

/** The request does not wait for it. */
function markLater({ write, log }: Ctx, { id }: GoodKey) {
  write((db) => markUsed(db, id)).catch((err: unknown) => {
    log.warn({ err, apiKey: id }, 'the use of an API key was not written')
  })
}
