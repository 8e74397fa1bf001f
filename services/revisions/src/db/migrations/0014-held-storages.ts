import type { Migration } from '@figbase/kit/db'

export const protectedStorages: Migration = {
  name: '0014-held-storages',
  sql: `
-- Of an installation that was restored from a backup: where that from which it was made may still keep what is
-- its own, so that nothing is deleted there.
create table held_storage (
  storage text constraint held_storage_pkey primary key,
  held_on timestamptz not null default now()
);
`,
}
