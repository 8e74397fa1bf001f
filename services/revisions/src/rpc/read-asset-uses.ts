import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { listUses } from '../queries/links.js'
import type { Impl } from '../routes.js'
import { toAssetUses } from '../wire.js'

const idsMax = 1000

export function readAssetUses(ctx: Ctx): Impl['readAssetUses'] {
  return async ({ ids }, call) => {
    requireSystem(call)
    if (ids.length > idsMax) throw invalid('ids', `must have at most ${idsMax} elements`)
    return { uses: (await listUses(ctx.db, ids.filter(isUuid))).map(toAssetUses) }
  }
}
