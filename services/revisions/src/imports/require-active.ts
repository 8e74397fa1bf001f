import { actAsSystem } from '@figbase/kit/rpc'
import { TaskFailed } from '@figbase/kit/tasks'
import type { Ctx } from '../context.js'
import type { GitRepositoryRow } from '../db/schema.js'
import { endSchedule } from '../queries/git-repositories.js'

const timeoutMs = 10_000

/** Fails if the user who registered the repository may not sign in, and ends its schedule. */
export async function requireActive(
  { accounts, write }: Pick<Ctx, 'accounts' | 'write'>,
  { id, created_by }: Pick<GitRepositoryRow, 'id' | 'created_by'>,
  signal: AbortSignal,
): Promise<void> {
  const as = { ...actAsSystem(), timeoutMs, signal }
  const { users } = await accounts.listCredentials({ usernames: [created_by] }, as)
  if (users.length > 0) return
  await write((db) => endSchedule(db, id))
  throw new TaskFailed(`the account of ${created_by}, who registered the repository, is not active`)
}
