import type { Migration } from '@figbase/kit'

/** Purged by then, unless the installation keeps longer what was deleted. */
export const oldDeletions: Migration = {
  name: '0014-old-deletions',
  sql: `update tombstone set purge_began_on = now() where deleted_on < now() - interval '30 days'`,
}
