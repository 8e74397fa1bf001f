import type { Migration } from '@figbase/kit/db'

export const volumes: Migration = {
  name: '0003-volumes',
  sql: `
alter table instance
  -- When the volume of a terminated instance may be deleted; null: at once.
  add column removes_on timestamptz,
  -- Its workspace can no longer be restored: its rows are deleted when the driver has nothing of it any more.
  add column is_purged boolean not null default false;
create index instance_in_workspace_idx on instance (workspace_id);
create index instance_volume_idx on instance (holder_id) where observed <> 'gone';
create index instance_purged_idx on instance (id) where is_purged;
create index instance_owner_idx on instance (owner) where desired <> 'terminated';

create table purge_progress (
  is_only boolean constraint purge_progress_pkey primary key default true,
  page_token text not null,
  constraint purge_progress_check check (is_only)
);
`,
}
