import type { Migration } from '@figbase/kit/db'

export const contentUpdates: Migration = {
  name: '0008-content-updates',
  sql: `
alter table node
  -- The version of its content that the leaves are of, as its owner counts them.
  add column content_version integer not null default 0,
  -- Of a figure that its only revision may leave for one that is like it.
  add column auto_assign_pending boolean not null default false;

-- Changes of content that were begun and are not applied yet.
create table update_hold (
  id uuid constraint update_hold_pkey primary key,
  seq bigint generated always as identity,
  node_id uuid not null,
  workspace_id uuid not null,
  -- What the node will grow by, where its plan limits it.
  held_bytes bigint,
  at timestamptz not null,
  created_by text not null
);
create index update_hold_node_idx on update_hold (node_id);
create index update_hold_held_idx on update_hold (workspace_id) where held_bytes is not null;
create index update_hold_age_idx on update_hold (at);
`,
}
