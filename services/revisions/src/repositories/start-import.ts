import type { Transaction } from 'kysely'
import type { Ctx } from '../context.js'
import type { GitImportRow, GitImportTrigger, GitRepositoryRow, Tables } from '../db/schema.js'
import { repositoryName } from '../domain/git-wanted.js'
import { importGit } from '../job-names.js'
import {
  endImport,
  type ImportOutcome,
  insertImport,
  lockOpenImport,
  removeOldImports,
  repeatImport,
} from '../queries/git-imports.js'
import { findRepository, lockRepository } from '../queries/git-repositories.js'
import { countChanges } from '../queries/git-slots.js'

type Tx = Transaction<Tables>

/**
 * Starts an import. If one waits, it is returned. If one is running, it may have read the repository already, so
 * another one follows it. Undefined if the repository was deleted.
 */
export async function startImport(
  ctx: Pick<Ctx, 'startTask' | 'newId'>,
  tx: Tx,
  { id }: Pick<GitRepositoryRow, 'id'>,
  trigger: GitImportTrigger,
): Promise<GitImportRow | undefined> {
  if (!(await lockRepository(tx, id))) return undefined
  const open = await lockOpenImport(tx, id)
  if (open?.state === 'RUNNING') await repeatImport(tx, open.id)
  return open ?? start(ctx, tx, id, trigger)
}

async function start(
  ctx: Pick<Ctx, 'startTask' | 'newId'>,
  tx: Tx,
  repositoryId: string,
  trigger: GitImportTrigger,
) {
  const repository = await findRepository(tx, repositoryId)
  if (!repository) return undefined
  const { created_by: owner, workspace_id: workspaceId, url } = repository
  const importId = ctx.newId()
  const options = { name: `Import ${repositoryName(url)}`, owner, workspaceId }
  const taskId = await ctx.startTask(tx, importGit, { importId }, options)
  return insertImport(tx, { id: importId, repositoryId, taskId, trigger })
}

/** Ends an import, and starts the next one if it was requested meanwhile. */
export function finishImport(
  ctx: Pick<Ctx, 'transact' | 'startTask' | 'newId' | 'cfg'>,
  one: Pick<GitImportRow, 'id' | 'repository_id'>,
  outcome: ImportOutcome,
): Promise<void> {
  return ctx.transact(async (tx) => {
    await lockRepository(tx, one.repository_id)
    const changes = await countChanges(tx, one.repository_id, one.id)
    const ended = await endImport(tx, one.id, outcome, { ...outcome.totals, ...changes })
    if (!ended) return
    await removeOldImports(tx, one.repository_id, ctx.cfg.gitImports.keptMax)
    if (ended.is_repeated) await start(ctx, tx, one.repository_id, ended.trigger)
  })
}
