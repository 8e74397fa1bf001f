import { Code, type HandlerContext } from '@connectrpc/connect'
import {
  checkedAll,
  checkedText,
  forward,
  hasCode,
  invalid,
  isUuid,
  requireSignIn,
} from '@figbase/kit'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { newToken } from '../domain/api-key-token.js'
import { checkedExpiry, inThePast } from '../domain/expiry.js'
import { checkedAccess } from '../domain/key-access.js'
import { hashOf } from '../domain/random-token.js'
import { tooManyApiKeys } from '../errors.js'
import { countHeldKeys, insertApiKey } from '../queries/api-keys.js'
import type { Impl } from '../routes.js'
import { toApiKey } from '../wire.js'

const nameCharsMax = 200

export function createApiKey(ctx: Ctx): Impl['createApiKey'] {
  return async (req, call) => {
    const owner = requireSignIn(call)
    // Of one form, so that what looks the same is the same.
    const composed = req.name.normalize('NFC')
    const { name, expiresOn, access } = checkedAll({
      name: () => checkedText('name', composed, { charsMin: 1, charsMax: nameCharsMax }),
      expiresOn: () => checkedExpiry(req.expiresOn),
      access: () => checkedAccess(req.access),
    })
    const workspaceId = req.workspaceId ? await viewable(ctx, req.workspaceId, call) : null
    const token = newToken()
    const tokenHash = hashOf(token)
    const key = { id: ctx.newId(), owner, name, tokenHash, workspaceId, access, expiresOn }
    const row = await ctx.transact(async (tx) => {
      if ((await countHeldKeys(tx, owner)) >= ctx.cfg.apiKeysMax) {
        throw tooManyApiKeys(ctx.cfg.apiKeysMax)
      }
      return insertApiKey(tx, key)
    })
    if (!row) throw inThePast()
    return { key: toApiKey(row), token }
  }
}

/** The same for one that does not exist as for one that the caller may not view. */
async function viewable({ catalog }: Ctx, text: string, call: HandlerContext): Promise<string> {
  const id = text.toLowerCase()
  if (!isUuid(id)) throw invalid('workspace', 'must be a UUID')
  const request = { id, permission: Permission.VIEW, type: NodeType.WORKSPACE }
  await catalog.checkAccess(request, forward(call)).catch((error: unknown) => {
    if (hasCode(error, Code.NotFound) || hasCode(error, Code.PermissionDenied)) {
      throw invalid('workspace', 'does not exist, or you may not view it')
    }
    throw error
  })
  return id
}
