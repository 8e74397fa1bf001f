import type { Migration } from '@figbase/kit'

/** For administrators, who look for accounts by what an address begins with. */
export const accountEmailPrefix: Migration = {
  name: '0009-account-email-prefix',
  inTransaction: false,
  sql: 'create index concurrently account_email_prefix_idx on account (email_key text_pattern_ops)',
}
