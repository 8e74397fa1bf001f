import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import { requireUnbound } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { listSshKeys as listRows } from '../../queries/ssh-keys.js'
import type { SshKeysImpl } from './checked.js'
import { toSshKey } from './wire.js'

export function listSshKeys({ db }: Ctx): SshKeysImpl['listSshKeys'] {
  return async (req, call) => {
    const owner = requireUnbound(call)
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const page = toPage(await listRows(db, owner, limit + 1, after), limit)
    return { keys: page.rows.map(toSshKey), nextPageToken: page.nextPageToken }
  }
}
