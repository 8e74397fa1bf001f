import type { JobName } from '@figbase/kit/jobs'

/** One job for all instances, so its key is always the same. */
export const reconcile: JobName<object> = { name: 'reconcile', attemptsMax: 25, priority: -1 }
export const reconcileKey = 'all'
