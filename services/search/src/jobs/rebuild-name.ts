import type { JobName } from '@figbase/kit/jobs'

export const rebuildName: JobName<object> = { name: 'rebuild-index', attemptsMax: 1000 }
/** At most one such job waits. */
export const rebuildKey = 'rebuild'
