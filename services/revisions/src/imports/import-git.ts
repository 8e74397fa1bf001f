import { defineTaskJob, TaskFailed, TaskRevoked } from '@figbase/kit/tasks'
import type { Ctx } from '../context.js'
import type { GitImportRow } from '../db/schema.js'
import { noCounts } from '../domain/git-slots.js'
import { importGit } from '../job-names.js'
import { beginImport, findImport, type ImportOutcome } from '../queries/git-imports.js'
import { findRepository } from '../queries/git-repositories.js'
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
    // An earlier attempt could not report the outcome.
    if (!one) return outcomeOf(await findImport(ctx.db, importId))
    const repository = await findRepository(ctx.db, one.repository_id)
    if (!repository) throw new TaskFailed('the repository is no longer registered')
    const late = AbortSignal.timeout(ctx.cfg.gitImports.timeoutMs)
    const imported: Imported = { commitId: '', counts: { ...noCounts }, refused: [] }
    const end = (state: ImportOutcome['state'], error = '') =>
      finishImport(ctx, one, { ...imported, state, error })
    try {
      const signal = AbortSignal.any([task.signal, late])
      await importRepository(ctx, repository, { ...task, signal }, imported)
      await end('SUCCEEDED')
      return resultOf(imported)
    } catch (error) {
      if (task.signal.reason instanceof TaskRevoked) await end('CANCELLED')
      task.signal.throwIfAborted()
      const failure = late.aborted ? timedOut() : taskFailureOf(error)
      if (failure) await end('FAILED', failure.message)
      else if (task.attempt >= importGit.attemptsMax) await end('FAILED', wentWrong)
      throw failure ?? error
    }
  },
})

const wentWrong = 'something went wrong on the server'
const timedOut = () => new TaskFailed('the import took too long')

const resultOf = ({ commitId, counts }: Imported) => ({ commit: commitId, ...counts })

function outcomeOf(ended: GitImportRow | undefined) {
  if (ended?.state === 'FAILED') throw new TaskFailed(ended.error)
  return ended && { commit: ended.commit_id, ...ended.counts }
}
