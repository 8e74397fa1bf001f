import { invalid, notFound } from '@figbase/kit/errors'
import { principal } from '@figbase/kit/rpc'
import { problemOfJson } from '@figbase/kit/text'
import type { Ctx } from '../../context.js'
import { hashOf } from '../../domain/random-token.js'
import { updateMetadata } from '../../queries/metadata-proxies.js'
import type { SiteImpl } from '../../routes.js'
import { toMetadataProxy } from '../../wire.js'

const depthMax = 100

export function postMetadata(ctx: Ctx): SiteImpl['postMetadata'] {
  return async ({ token, metadataJson }, call) => {
    checkMetadata(metadataJson, ctx.cfg.metadataBytesMax)
    const row = await ctx.write((db) => updateMetadata(db, hashOf(token), metadataJson))
    if (!row) throw notFound('this mailbox')
    // Only the initiator may read the proxy.
    return row.initiator === principal(call).username ? { proxy: toMetadataProxy(row) } : {}
  }
}

function checkMetadata(json: string, bytesMax: number) {
  if (Buffer.byteLength(json) > bytesMax) {
    throw invalid('metadata', `must have at most ${bytesMax} bytes`)
  }
  const problem = problemOfJson(json, depthMax)
  if (problem) throw invalid('metadata', problem)
}
