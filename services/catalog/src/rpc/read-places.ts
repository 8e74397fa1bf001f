import type { ServiceImpl } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireSystem } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { emptySums } from '../queries/node-sql.js'
import { readPlaces as readRows } from '../queries/places.js'
import { toNode } from '../wire.js'

type Impl = ServiceImpl<typeof CatalogService>

const idsMax = 1000

export function readPlaces({ db }: Ctx): Impl['readPlaces'] {
  return async ({ ids }, call) => {
    requireSystem(call)
    if (ids.length > idsMax) throw invalid('ids', `must have at most ${idsMax} items`)
    if (!ids.every(isUuid)) throw invalid('ids', 'must be UUIDs')
    const rows = await readRows(db, ids)
    return {
      nodes: rows.map((row) => ({
        node: toNode({ ...row, ...emptySums }),
        lineage: row.lineage,
        deletedRootId: row.deleted_root_id ?? '',
      })),
    }
  }
}
