import { denied, notFound } from '@figbase/kit/errors'
import { principal } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { hashOf } from '../../domain/random-token.js'
import { findMetadataProxy } from '../../queries/metadata-proxies.js'
import type { SiteImpl } from '../../routes.js'
import { toMetadataProxy } from '../../wire.js'

export function getMetadataProxy({ db }: Ctx): SiteImpl['getMetadataProxy'] {
  return async ({ token }, call) => {
    const row = await findMetadataProxy(db, hashOf(token))
    if (!row) throw notFound('this mailbox')
    // 403 rather than 404: a caller with the token knows that the proxy exists.
    if (row.initiator !== principal(call).username) throw denied('VIEW')
    return { proxy: toMetadataProxy(row) }
  }
}
