import type { JobName } from '@figbase/kit/jobs'
import type { TaskName } from '@figbase/kit/tasks'

/** Apart from the work of the job, so that code that enqueues it does not import that. */
export const settleStory: JobName<{ storyId: string }> = { name: 'settle-story', attemptsMax: 25 }

/** The row of the export says which story, in which format, for whom. */
export const exportStory: TaskName<{ exportId: string; basePath: string }> = {
  name: 'export-story',
  type: 'export-story',
  attemptsMax: 3,
}

/** What a task that writes a story gets: the version that it reads, and the user in whose name it runs. */
export type WriteStory = { storyId: string; version: number; username: string; model: string }

export const generateStory: TaskName<WriteStory> = {
  name: 'generate-story',
  type: 'generate-story',
  attemptsMax: 3,
}

export const refineStory: TaskName<WriteStory> = {
  name: 'refine-story',
  type: 'refine-story',
  attemptsMax: 3,
}

export type Reply = {
  replyId: string
  parentCommentId: string
  workspaceId: string
  username: string
  model: string
}

/** Before the others: somebody waits for it. */
export const replyToComment: TaskName<Reply> = {
  name: 'reply-to-comment',
  type: 'reply-to-comment',
  attemptsMax: 3,
  priority: -1,
}
