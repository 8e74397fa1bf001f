import { requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { checkedExpiry, expiryInPast } from '../../domain/expiry.js'
import { hashOf, newToken } from '../../domain/random-token.js'
import { tooManyMetadataProxies } from '../../errors.js'
import { insertMetadataProxy, lockAndCountProxies } from '../../queries/metadata-proxies.js'
import type { SiteImpl } from '../../routes.js'
import { toMetadataProxy } from '../../wire.js'

/** Also allowed for keys that are restricted to a workspace: publishing needs the name of the notebook. */
export function createMetadataProxy(ctx: Ctx): SiteImpl['createMetadataProxy'] {
  return async (req, call) => {
    const initiator = requireUser(call)
    const { metadataProxiesMax, metadataLifeMs: lifeMs } = ctx.cfg
    const expiresOn = checkedExpiry(req.expiresOn)
    const token = newToken()
    const proxy = { id: ctx.newId(), initiator, tokenHash: hashOf(token), expiresOn, lifeMs }
    const row = await ctx.transact(async (tx) => {
      const { proxies, first_ends_ms } = await lockAndCountProxies(tx, initiator)
      if (proxies >= metadataProxiesMax) {
        throw tooManyMetadataProxies(metadataProxiesMax, first_ends_ms ?? lifeMs)
      }
      return insertMetadataProxy(tx, proxy)
    })
    if (!row) throw expiryInPast()
    return { proxy: toMetadataProxy(row), token }
  }
}
