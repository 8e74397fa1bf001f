import type { ServiceImpl } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireSystem } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { listViewers as listRows } from '../queries/access.js'

type Impl = ServiceImpl<typeof CatalogService>

const nodesMax = 1000
const usersMax = 20_000

export function listViewers({ db }: Ctx): Impl['listViewers'] {
  return async ({ nodeIds, usernames }, call) => {
    requireSystem(call)
    if (nodeIds.length > nodesMax) throw invalid('node_ids', `must have at most ${nodesMax} items`)
    if (!nodeIds.every(isUuid)) throw invalid('node_ids', 'must be UUIDs')
    if (usernames.length > usersMax)
      throw invalid('usernames', `must have at most ${usersMax} items`)
    const rows = await listRows(db, nodeIds, usernames)
    return { nodes: rows.map((row) => ({ nodeId: row.id, usernames: row.usernames })) }
  }
}
