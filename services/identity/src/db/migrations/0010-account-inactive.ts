import type { Migration } from '@figbase/kit/db'

/** For listing the few inactive accounts. */
export const accountInactive: Migration = {
  name: '0010-account-inactive',
  inTransaction: false,
  sql: `create index concurrently account_inactive_idx on account (username)
    where not is_active and deleted_on is null`,
}
