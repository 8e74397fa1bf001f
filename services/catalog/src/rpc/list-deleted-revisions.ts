import type { ServiceImpl } from '@connectrpc/connect'
import { invalid, isUuid, requireSystem, toIso } from '@figbase/kit'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import {
  type DeletedRevision,
  type DeletionCursor,
  firstDeletion,
  listDeletedRevisions as listRows,
} from '../queries/deleted-revisions.js'

type Impl = ServiceImpl<typeof CatalogService>

const rowsMax = 1000
const rootsMax = 100

export function listDeletedRevisions({ db }: Ctx): Impl['listDeletedRevisions'] {
  return async ({ deletedBefore, pageToken }, call) => {
    requireSystem(call)
    if (!deletedBefore) throw invalid('deleted_before', 'is required')
    const after = decode(pageToken)
    const rows = await listRows(db, after, toIso(deletedBefore), rowsMax, rootsMax)
    const last = rows.at(-1)
    const roots = new Set(rows.map((row) => row.root_id))
    return {
      ids: rows.flatMap(({ id }) => id ?? []),
      nextPageToken: last ? encode(last) : pageToken,
      hasMore: rows.length === rowsMax || roots.size === rootsMax,
    }
  }
}

const encode = ({ deleted_on, root_id, created_on, seq }: DeletedRevision) =>
  Buffer.from(JSON.stringify([deleted_on, root_id, created_on, String(seq)])).toString('base64url')

const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/
const isTime = (text: string) => time.test(text) && !Number.isNaN(Date.parse(text))

function decode(token: string): DeletionCursor {
  if (!token) return firstDeletion
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    if (Array.isArray(parts)) {
      const [deletedOn = '', rootId = '', createdOn = '', seq = ''] = parts.map(String)
      const isOurs =
        isTime(deletedOn) && isUuid(rootId) && isTime(createdOn) && /^\d{1,18}$/.test(seq)
      if (isOurs) return { deletedOn, rootId, createdOn, seq }
    }
  } catch {
    // Falls through: not one of ours.
  }
  throw invalid('page_token', 'is not a page token of this list')
}
