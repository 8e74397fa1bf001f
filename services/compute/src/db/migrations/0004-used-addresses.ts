import type { Migration } from '@figbase/kit/db'

export const usedAddresses: Migration = {
  name: '0004-used-addresses',
  sql: `
-- Addresses that opened a notebook: each can be used once, until it expires.
create table used_address (
  id uuid constraint used_address_pkey primary key,
  expires_on timestamptz not null
);
create index used_address_expires_idx on used_address (expires_on);
`,
}
