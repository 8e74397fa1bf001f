import type { JobName, TaskName } from '@figbase/kit'

/** `silent` is that of its creation; absent when that has been shown. */
export const processRevision: JobName<{
  revisionId: string
  workspaceId: string
  silent?: boolean
}> = { name: 'process-revision', attemptsMax: 25 }

/** `contentVersion` is that of the data without a picture. About a day of attempts. */
export const drawAgain: JobName<{
  revisionId: string
  workspaceId: string
  contentVersion: number
}> = { name: 'draw-again', attemptsMax: 18, priority: 1 }

/** About two minutes for a store that does not answer. Pictures are waited for: places are left for them. */
export const extractText: JobName<{ revisionId: string; workspaceId: string }> = {
  name: 'extract-text',
  attemptsMax: 8,
  priority: 1,
}

export const autoAssign: TaskName<{ revisionId: string }> = {
  name: 'auto-assign',
  type: 'auto-assign',
  attemptsMax: 3,
}
