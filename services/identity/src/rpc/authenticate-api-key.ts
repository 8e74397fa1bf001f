import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { isToken } from '../domain/api-key-token.js'
import { toKeyAccess } from '../domain/key-access.js'
import { hashOf } from '../domain/random-token.js'
import { apiKeyRefused } from '../errors.js'
import { limitFailedCredentials } from '../limits.js'
import { findValidKey, markKeyUsed, type ValidKey } from '../queries/api-keys.js'
import type { Impl } from '../routes.js'

/** Not cached: a deleted key stops working at once. */
export function authenticateApiKey(ctx: Ctx): Impl['authenticateApiKey'] {
  return async ({ token }, call) => {
    requireSystem(call)
    const key = await limitFailedCredentials(ctx.limits, call, async () => {
      const found = isToken(token) ? await findValidKey(ctx.db, hashOf(token)) : undefined
      if (!found) throw apiKeyRefused()
      return found
    })
    if (key.is_stale) markUsedInBackground(ctx, key)
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

/** Runs in the background: the request does not wait. */
function markUsedInBackground({ write, log }: Ctx, { id }: ValidKey) {
  write((db) => markKeyUsed(db, id)).catch((err: unknown) => {
    log.warn({ err, apiKey: id }, 'updating the last use of an API key failed')
  })
}
