import { Code, type HandlerContext } from '@connectrpc/connect'
import { hasCode, invalid, validateAll } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { forward, requireSignIn } from '@figbase/kit/rpc'
import { checkedText } from '@figbase/kit/text'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { newToken } from '../domain/api-key-token.js'
import { checkedExpiry, expiryInPast } from '../domain/expiry.js'
import { checkedAccess } from '../domain/key-access.js'
import { hashOf } from '../domain/random-token.js'
import { tooManyApiKeys } from '../errors.js'
import { insertApiKey, lockAndCountKeys } from '../queries/api-keys.js'
import type { Impl } from '../routes.js'
import { toApiKey } from '../wire.js'

const nameCharsMax = 200

export function createApiKey(ctx: Ctx): Impl['createApiKey'] {
  return async (req, call) => {
    const owner = requireSignIn(call)
    // Normalized, so that names that look the same are equal.
    const composed = req.name.normalize('NFC')
    const { name, expiresOn, access } = validateAll({
      name: () => checkedText('name', composed, { charsMin: 1, charsMax: nameCharsMax }),
      expiresOn: () => checkedExpiry(req.expiresOn),
      access: () => checkedAccess(req.access),
    })
    const workspaceId = req.workspaceId ? await requireViewable(ctx, req.workspaceId, call) : null
    const token = newToken()
    const tokenHash = hashOf(token)
    const key = { id: ctx.newId(), owner, name, tokenHash, workspaceId, access, expiresOn }
    const row = await ctx.transact(async (tx) => {
      if ((await lockAndCountKeys(tx, owner)) >= ctx.cfg.apiKeysMax) {
        throw tooManyApiKeys(ctx.cfg.apiKeysMax)
      }
      return insertApiKey(tx, key)
    })
    if (!row) throw expiryInPast()
    return { key: toApiKey(row), token }
  }
}

/** Returns the same error for an unknown workspace and for one that the caller may not view. */
async function requireViewable(
  { catalog }: Ctx,
  text: string,
  call: HandlerContext,
): Promise<string> {
  const id = text.toLowerCase()
  if (!isUuid(id)) throw invalid('workspace', 'must be a UUID')
  const request = { id, permission: Permission.VIEW, type: NodeType.WORKSPACE }
  await catalog.checkAccess(request, forward(call)).catch((error: unknown) => {
    if (hasCode(error, Code.NotFound) || hasCode(error, Code.PermissionDenied)) {
      throw invalid('workspace', 'not found, or you may not view it')
    }
    throw error
  })
  return id
}
