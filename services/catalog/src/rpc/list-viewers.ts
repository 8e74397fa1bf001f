import type { ServiceImpl } from '@connectrpc/connect'
import { invalid, isUuid, requireSystem } from '@figbase/kit'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { listViewers as listRows } from '../queries/nodes.js'

type Impl = ServiceImpl<typeof CatalogService>

const nodesMax = 1000
const usersMax = 20_000

export function listViewers({ db }: Ctx): Impl['listViewers'] {
  return async ({ nodeIds, usernames }, call) => {
    requireSystem(call)
    if (nodeIds.length > nodesMax) throw invalid('node_ids', `has more than ${nodesMax}`)
    if (!nodeIds.every(isUuid)) throw invalid('node_ids', 'one is not a UUID')
    if (usernames.length > usersMax) throw invalid('usernames', `has more than ${usersMax}`)
    const rows = await listRows(db, nodeIds, usernames)
    return { nodes: rows.map((row) => ({ nodeId: row.id, usernames: row.usernames })) }
  }
}
