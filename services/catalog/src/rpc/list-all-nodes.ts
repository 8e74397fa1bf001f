import type { ServiceImpl } from '@connectrpc/connect'
import { pageSize } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireSystem } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { estimateNodes, listAllNodes as listIds } from '../queries/places.js'

type Impl = ServiceImpl<typeof CatalogService>

const beforeAll = '00000000-0000-0000-0000-000000000000'

export function listAllNodes({ db }: Ctx): Impl['listAllNodes'] {
  return async ({ pageSize: requested, pageToken }, call) => {
    requireSystem(call)
    const after = pageToken || beforeAll
    if (!isUuid(after)) throw invalid('page_token', 'is not a page token of this list')
    const limit = pageSize(requested)
    const ids = await listIds(db, after, limit)
    const last = ids.length === limit ? ids.at(-1) : undefined
    const totalCount = pageToken ? 0n : BigInt(await estimateNodes(db))
    return { ids, nextPageToken: last ?? '', totalCount }
  }
}
