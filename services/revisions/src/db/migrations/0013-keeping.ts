import type { Migration } from '@figbase/kit/db'

export const garbageCollection: Migration = {
  name: '0013-keeping',
  sql: `
-- Since when nothing refers to it: it is collected a while later.
alter table blob add column dead_since timestamptz;
update blob set dead_since = now() where refs = 0;
alter table blob add constraint blob_dead_check check ((refs = 0) = (dead_since is not null));
drop index blob_dead_idx;
-- What the collector looks for.
create index blob_dead_idx on blob (storage, dead_since) where refs = 0;

-- Of revisions that were purged: a short id is given once.
create table retired_short_id (
  short_id text collate "C" constraint retired_short_id_pkey primary key
);

-- How far the deletions that catalog tells of have been followed; one row.
create table purge_progress (
  is_only boolean constraint purge_progress_pkey primary key default true,
  page_token text not null,
  constraint purge_progress_check check (is_only)
);
`,
}
