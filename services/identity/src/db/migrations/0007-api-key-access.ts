import type { Migration } from '@figbase/kit'

/**
 * Keys of before may do all, and so may those that an older replica makes. The check is not validated: that would
 * read the table while nobody can write, and all rows that are there have the default.
 */
export const apiKeyAccess: Migration = {
  name: '0007-api-key-access',
  sql: `
    alter table api_key add column access text not null default 'full';
    alter table api_key add constraint api_key_access_known
      check (access in ('read', 'publish', 'full')) not valid;
  `,
}
