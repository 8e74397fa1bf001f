import type { Migration } from '@figbase/kit/db'

/** For administrators who search accounts by a prefix of the address. */
export const accountEmailPrefix: Migration = {
  name: '0009-account-email-prefix',
  inTransaction: false,
  sql: 'create index concurrently account_email_prefix_idx on account (email_key text_pattern_ops)',
}
