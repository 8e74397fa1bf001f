import { callerAddress, requireSystem } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { hashOf, isToken } from '../domain/api-key-token.js'
import { apiKeyRefused } from '../errors.js'
import { tooManyFailures } from '../limits.js'
import { findGoodKey, type GoodKey, markUsed } from '../queries/api-keys.js'
import type { Impl } from '../routes.js'

/** Looks each time: nothing is remembered of a key. Waits for nothing else. */
export function authenticateApiKey(ctx: Ctx): Impl['authenticateApiKey'] {
  return async ({ token }, call) => {
    requireSystem(call)
    const { failedApiKeysOfAddress: failed } = ctx.limits
    const address = callerAddress(call)
    const allowance = failed.peek(address)
    if (allowance.isExceeded) throw tooManyFailures(allowance)
    const key = isToken(token) ? await findGoodKey(ctx.db, hashOf(token)) : undefined
    if (!key) {
      failed.count(address)
      throw apiKeyRefused()
    }
    if (key.is_stale) markLater(ctx, key)
    const { id, owner: username, is_staff, workspace_id: workspaceId } = key
    return {
      principal: {
        username,
        isStaff: is_staff && workspaceId === null,
        apiKey: { id, workspaceId: workspaceId ?? '' },
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
