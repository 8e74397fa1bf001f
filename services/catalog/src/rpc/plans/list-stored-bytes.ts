import { pageSize } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireStaff } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../../context.js'
import {
  listOrganizationBytes,
  listWorkspaceBytes,
  type StoredKey,
} from '../../queries/stored-bytes.js'
import type { PlansImpl } from '../../routes.js'

const lists = new Map([
  [NodeType.WORKSPACE, listWorkspaceBytes],
  [NodeType.ORGANIZATION, listOrganizationBytes],
])

export function listStoredBytes({ db }: Ctx): PlansImpl['listStoredBytes'] {
  return async (req, call) => {
    requireStaff(call)
    const list = lists.get(req.type)
    if (!list) throw invalid('type', 'must be a workspace or an organization')
    const limit = pageSize(req.pageSize)
    const rows = await list(db, limit + 1, keyOf(req.pageToken))
    const items = rows.slice(0, limit)
    const last = rows.length > limit ? items.at(-1) : undefined
    return { items, nextPageToken: last ? `${last.bytes} ${last.id}` : '' }
  }
}

function keyOf(pageToken: string): StoredKey | undefined {
  if (!pageToken) return undefined
  const [bytes = '', id = ''] = pageToken.split(' ')
  if (!/^\d{1,18}$/.test(bytes) || !isUuid(id)) {
    throw invalid('page_token', 'is not a page token of this list')
  }
  return { bytes: BigInt(bytes), id }
}
