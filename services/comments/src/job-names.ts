import type { JobName } from '@figbase/kit/jobs'

/** Apart from the work of the job, so that queries that enqueue it do not import that. */
export const mailMention: JobName<{ commentId: string; username: string }> = {
  name: 'mail-mention',
  attemptsMax: 25,
}
