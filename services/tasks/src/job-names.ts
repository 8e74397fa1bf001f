import type { JobName } from '@figbase/kit/jobs'

/** Apart from the work of the jobs, so that queries that enqueue them do not import that. The key is the username. */
export const notify: JobName<{ username: string }> = { name: 'notify', attemptsMax: 25 }

/** The key is the username with the time. */
export const sendDigest: JobName<{ username: string; at: string }> = {
  name: 'send-digest',
  attemptsMax: 25,
}
