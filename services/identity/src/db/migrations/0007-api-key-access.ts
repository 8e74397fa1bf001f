import type { Migration } from '@figbase/kit/db'

/**
 * Existing keys, and those that older replicas create, have full access. The check is not validated: that would scan
 * the table under a lock, and all existing rows have the default.
 */
export const apiKeyAccess: Migration = {
  name: '0007-api-key-access',
  sql: `
    alter table api_key add column access text not null default 'full';
    alter table api_key add constraint api_key_access_known
      check (access in ('read', 'publish', 'full')) not valid;
  `,
}
