import type { JobName } from '@figbase/kit/jobs'
import type { TaskName } from '@figbase/kit/tasks'

/** `silent` is that of the creation. It is absent if the revision was activated already. */
export const processRevision: JobName<{
  revisionId: string
  workspaceId: string
  silent?: boolean
}> = { name: 'process-revision', attemptsMax: 25 }

/** `contentVersion` is that of the data without a picture. The attempts take about a day. */
export const rerender: JobName<{
  revisionId: string
  workspaceId: string
  contentVersion: number
}> = { name: 'draw-again', attemptsMax: 18, priority: 1 }

/**
 * The attempts take about two minutes, for a store that is unavailable. The low priority keeps workers free
 * for pictures, because users wait for those. `after` is the position of the data that the previous turn read last.
 */
export const extractText: JobName<{
  revisionId: string
  workspaceId: string
  after?: number | undefined
}> = {
  name: 'extract-text',
  attemptsMax: 8,
  priority: 1,
}

export const autoAssign: TaskName<{ revisionId: string }> = {
  name: 'auto-assign',
  type: 'auto-assign',
  attemptsMax: 3,
}

/** Enqueued for the time when repositories are due, so that an idle service does not look for them. */
export const scheduleGitImports: JobName<object> = { name: 'schedule-git-imports', attemptsMax: 25 }

export const importGit: TaskName<{ importId: string }> = {
  name: 'import-git',
  type: 'git-import',
  attemptsMax: 5,
}
