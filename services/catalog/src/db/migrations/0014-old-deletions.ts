import type { Migration } from '@figbase/kit/db'

/** Deletions older than 30 days are already purged, unless the installation has a longer retention. */
export const oldDeletions: Migration = {
  name: '0014-old-deletions',
  sql: `update tombstone set purge_began_on = now() where deleted_on < now() - interval '30 days'`,
}
