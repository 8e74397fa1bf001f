const ofKit = ['migration', 'relay_state', 'job_schedule', 'job_worker', 'purge_progress']
const ofOne = [
  'bus.state',
  'bus.subscription',
  'catalog.plan',
  'catalog.promotion',
  'catalog.site_rule',
  'identity.site_settings',
  'revisions.held_storage',
]

/** Whether a table has few rows in every installation: to read and change all of them takes a moment. */
export const isSmall = (table: string): boolean =>
  ofOne.includes(table) || ofKit.some((name) => table.endsWith(`.${name}`))
