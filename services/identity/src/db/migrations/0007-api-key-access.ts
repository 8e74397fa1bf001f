import type { Migration } from '@figbase/kit'

/** Keys of before may do all, and so may those that an older replica makes. */
export const apiKeyAccess: Migration = {
  name: '0007-api-key-access',
  sql: `
    alter table api_key add column access text not null default 'full'
      constraint api_key_access_known check (access in ('read', 'publish', 'full'));
  `,
}
