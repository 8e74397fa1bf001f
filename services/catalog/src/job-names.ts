import type { JobName } from '@figbase/kit/jobs'

/** Apart from the work of the job, so that queries that enqueue it do not import that. */
export const tellStale: JobName<{ assetRevisionId: string; requestId: string }> = {
  name: 'tell-stale',
  attemptsMax: 25,
}
