import { defineTaskJob, TaskFailed, type TaskHandle, TaskRevoked } from '@figbase/kit/tasks'
import type { Ctx } from '../context.js'
import type { GitImportRow } from '../db/schema.js'
import { type ImportCounts, noChanges, noTotals } from '../domain/git-slots.js'
import { importGit } from '../job-names.js'
import { beginImport, findImport, type ImportOutcome } from '../queries/git-imports.js'
import { findRepository } from '../queries/git-repositories.js'
import { endAbandoned } from '../repositories/end-abandoned.js'
import { finishImport } from '../repositories/start-import.js'
import { taskFailureOf } from './failures.js'
import { type Imported, importRepository } from './import-repository.js'

/** Imports mostly wait for servers of Git and for the object store. */
export const importsMax = 2
/** GIT_IMPORT_TIMEOUT is shorter. */
const timeoutMs = 24 * 3_600_000

/** Imports what has changed in a repository. Each step can be repeated. */
export const importGitJob = defineTaskJob(importGit, {
  timeoutMs,
  concurrencyMax: importsMax,
  async run(ctx: Ctx, { importId }, task) {
    const one = await ctx.write((db) => beginImport(db, importId))
    // Otherwise an earlier attempt could not report the outcome.
    if (one) await run(ctx, one, task)
    const ended = await findImport(ctx.db, importId)
    if (!ended) return undefined
    const { state, error, commit_id: commit, counts } = ended
    if (state === 'FAILED') throw new TaskFailed(error)
    const all = { ...noTotals, ...noChanges, ...counts }
    task.log(summaryOf(all))
    return resultOf(commit, all)
  },
  async skip(ctx, { importId }) {
    const one = await findImport(ctx.db, importId)
    if (one) await endAbandoned(ctx, one)
  },
})

/** Ends the import, unless it can be tried again. */
async function run(ctx: Ctx, one: GitImportRow, task: TaskHandle): Promise<void> {
  const repository = await findRepository(ctx.db, one.repository_id)
  if (!repository) throw new TaskFailed('the repository is no longer registered')
  const late = AbortSignal.timeout(ctx.cfg.gitImports.timeoutMs)
  const imported: Imported = { commitId: '', totals: { ...noTotals }, refused: [] }
  const end = (state: ImportOutcome['state'], error = '') =>
    finishImport(ctx, one, { ...imported, state, error })
  try {
    const signal = AbortSignal.any([task.signal, late])
    await importRepository(ctx, one.id, repository, { ...task, signal }, imported)
    await end('SUCCEEDED')
  } catch (error) {
    if (task.signal.reason instanceof TaskRevoked) await end('CANCELLED')
    task.signal.throwIfAborted()
    const isLast = task.attempt >= importGit.attemptsMax
    const failure = late.aborted ? timedOut() : taskFailureOf(error, isLast)
    if (failure) await end('FAILED', failure.message)
    else if (isLast) await end('FAILED', wentWrong)
    throw failure ?? error
  }
}

const wentWrong = 'something went wrong on the server'
const timedOut = () => new TaskFailed('the import took too long')

const summaryOf = ({ figures, assets, refused, ...changes }: ImportCounts) =>
  [
    `figures: ${figures} (${changes.figuresCreated} new, ${changes.figuresChanged} changed, ${changes.figuresRenamed} renamed)`,
    `assets: ${assets} (${changes.assetsCreated} new, ${changes.assetsChanged} changed, ${changes.assetsRenamed} renamed)`,
    `paths that were not imported: ${refused}`,
  ].join(', ')

/** As the API shows an import. */
const resultOf = (commit: string, { figures, assets, refused, ...changes }: ImportCounts) => ({
  commit,
  figures: {
    total: figures,
    created: changes.figuresCreated,
    changed: changes.figuresChanged,
    renamed: changes.figuresRenamed,
  },
  assets: {
    total: assets,
    created: changes.assetsCreated,
    changed: changes.assetsChanged,
    renamed: changes.assetsRenamed,
  },
  refused_count: refused,
})
