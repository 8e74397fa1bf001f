import { setTimeout as sleep } from 'node:timers/promises'
import { type Figbase, FigbaseError, type Schemas, waitForTask } from '@figbase/client'
import { exitCode } from '../exit-codes.js'
import { CommandError, fail } from '../failure.js'
import { type GitImport, newestImports, readImport } from './imports.js'
import { createImportProgress, type ImportProgress } from './progress.js'
import { createTaskLog } from './task-log.js'

const pollMs = 1000

/**
 * Waits until an import has ended, and shows how far it is unless `json` is true. If it was running already, it may have
 * read the repository before, so the one that follows it is waited for, too. Ctrl-C ends the command, not the import.
 */
export async function followImport(
  figbase: Figbase,
  started: GitImport,
  json: boolean,
): Promise<GitImport> {
  const progress = json ? undefined : createImportProgress()
  const interrupt = () => {
    progress?.end()
    process.exit(fail(interrupted(started), json))
  }
  process.prependOnceListener('SIGINT', interrupt)
  try {
    const ended = await endOf(figbase, started, progress)
    if (started.status !== 'running' || ended.status === 'cancelled') return ended
    const [newest = ended] = await newestImports(figbase, started.repository, 1)
    return newest.api_id === ended.api_id ? ended : await endOf(figbase, newest, progress)
  } finally {
    process.off('SIGINT', interrupt)
    progress?.end()
  }
}

const interrupted = ({ repository }: GitImport) =>
  new CommandError(
    exitCode.interrupted,
    'interrupted',
    `The import goes on. To cancel it: figbase git cancel ${repository}`,
  )

/** Throws unless the import has succeeded. */
export function requireSucceeded({ status, error }: GitImport): void {
  if (status === 'succeeded') return
  const message =
    status === 'cancelled' ? 'The import was cancelled' : `The import has failed: ${error}`
  throw new CommandError(exitCode.failure, `import_${status}`, message)
}

async function endOf(
  figbase: Figbase,
  one: GitImport,
  progress: ImportProgress | undefined,
): Promise<GitImport> {
  const task = await endOfTask(figbase, one.task, progress)
  for (;;) {
    const now = await readImport(figbase, one)
    if (now.ended_on !== null) return now
    // The server ends the import some time after a task that was cancelled.
    if (task) return { ...now, status: statuses[task.status], error: task.error }
    await sleep(pollMs)
  }
}

const statuses: Record<Schemas['Task']['status'], GitImport['status']> = {
  PENDING: 'waiting',
  STARTED: 'running',
  SUCCESS: 'succeeded',
  FAILURE: 'failed',
  REVOKED: 'cancelled',
}

/** Undefined if the caller may not read the task: it is another user's, or the API key is for one workspace. */
async function endOfTask(figbase: Figbase, id: string, progress: ImportProgress | undefined) {
  const onProgress = progress && progressOfTask(figbase, id, progress)
  try {
    return await waitForTask(figbase, id, { onProgress })
  } catch (error) {
    if (error instanceof FigbaseError && [403, 404].includes(error.status)) return undefined
    throw error
  }
}

/** Reads new lines when the state of the task has changed. */
function progressOfTask(figbase: Figbase, id: string, progress: ImportProgress) {
  const newLines = createTaskLog(figbase, id)
  let last = ''
  return async ({ status, progress: percent, status_message }: Schemas['Task']) => {
    const state = [status, percent, status_message].join()
    if (state === last) return
    last = state
    progress.step(percent, status_message ?? '')
    for (const line of await newLines()) progress.line(line)
  }
}
