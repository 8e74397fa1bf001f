import type { CallOptions } from '@connectrpc/connect'
import type { Ctx } from '../context.js'
import { deleteRepositories, listOwners } from '../queries/git-repositories.js'

const rowsMax = 1000
const nilId = '00000000-0000-0000-0000-000000000000'

/** Deletes the Git repositories of users whose accounts were deleted, with their tokens. */
export async function purgeOfDeletedUsers(
  { db, write, identity }: Pick<Ctx, 'db' | 'write' | 'identity'>,
  as: CallOptions,
): Promise<void> {
  for (let after = nilId; ; ) {
    const rows = await listOwners(db, after, rowsMax)
    const last = rows.at(-1)
    if (!last) return
    const owners = [...new Set(rows.map(({ created_by }) => created_by))]
    const { usernames } = await identity.listDeletedUsers({ usernames: owners }, as)
    const deleted = new Set(usernames)
    const ids = rows.filter(({ created_by }) => deleted.has(created_by)).map(({ id }) => id)
    if (ids.length > 0) await write((tx) => deleteRepositories(tx, ids))
    after = last.id
  }
}
