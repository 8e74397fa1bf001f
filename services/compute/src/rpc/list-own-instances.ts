import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import { requireUnbound } from '@figbase/kit/rpc'
import { staleMs } from '../config.js'
import type { Ctx } from '../context.js'
import { listInstancesOf } from '../queries/instances.js'
import type { Impl } from '../routes.js'
import { toInstance } from '../wire.js'

export function listOwnInstances({ db, cfg }: Ctx): Impl['listOwnInstances'] {
  return async (req, call) => {
    const owner = requireUnbound(call)
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const page = toPage(await listInstancesOf(db, owner, limit + 1, after), limit)
    return {
      instances: page.rows.map((row) => toInstance(row, undefined, staleMs(cfg))),
      nextPageToken: page.nextPageToken,
    }
  }
}
