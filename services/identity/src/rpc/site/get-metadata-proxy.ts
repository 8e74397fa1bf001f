import { denied, notFound, principal } from '@figbase/kit'
import type { Ctx } from '../../context.js'
import { hashOf } from '../../domain/random-token.js'
import { findMetadataProxy } from '../../queries/metadata-proxies.js'
import type { SiteImpl } from '../../routes.js'
import { toMetadataProxy } from '../../wire.js'

export function getMetadataProxy({ db }: Ctx): SiteImpl['getMetadataProxy'] {
  return async ({ token }, call) => {
    const row = await findMetadataProxy(db, hashOf(token))
    if (!row) throw notFound('this mailbox')
    // Whoever holds the token knows that it is there: anonymous callers are refused as others are.
    if (row.initiator !== principal(call).username) throw denied('VIEW')
    return { proxy: toMetadataProxy(row) }
  }
}
