import type { Migration } from '@figbase/kit'

/** The few accounts that are not active, for those who list them. */
export const accountInactive: Migration = {
  name: '0010-account-inactive',
  inTransaction: false,
  sql: `create index concurrently account_inactive_idx on account (username)
    where not is_active and deleted_on is null`,
}
