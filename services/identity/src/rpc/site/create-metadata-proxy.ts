import { requireUser } from '@figbase/kit'
import type { Ctx } from '../../context.js'
import { checkedExpiry, inThePast } from '../../domain/expiry.js'
import { hashOf, newToken } from '../../domain/random-token.js'
import { tooManyMetadataProxies } from '../../errors.js'
import { countHeldProxies, insertMetadataProxy } from '../../queries/metadata-proxies.js'
import type { SiteImpl } from '../../routes.js'
import { toMetadataProxy } from '../../wire.js'

/** A key for one workspace may, too: what publishes there needs the name of its notebook. */
export function createMetadataProxy(ctx: Ctx): SiteImpl['createMetadataProxy'] {
  return async (req, call) => {
    const initiator = requireUser(call)
    const { metadataProxiesMax, metadataLifeMs: lifeMs } = ctx.cfg
    const expiresOn = checkedExpiry(req.expiresOn)
    const token = newToken()
    const proxy = { id: ctx.newId(), initiator, tokenHash: hashOf(token), expiresOn, lifeMs }
    const row = await ctx.transact(async (tx) => {
      const { proxies, first_ends_ms } = await countHeldProxies(tx, initiator)
      if (proxies >= metadataProxiesMax) {
        throw tooManyMetadataProxies(metadataProxiesMax, first_ends_ms ?? lifeMs)
      }
      return insertMetadataProxy(tx, proxy)
    })
    if (!row) throw inThePast()
    return { proxy: toMetadataProxy(row), token }
  }
}
