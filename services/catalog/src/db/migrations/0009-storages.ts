import type { Migration } from '@figbase/kit/db'

export const storages: Migration = {
  name: '0009-storages',
  sql: `
-- Where new data of a workspace or an organization goes; no row: to the installation's own storage.
create table container_storage (
  node_id uuid constraint container_storage_pkey primary key,
  -- Revisions knows it by this id.
  storage_id uuid not null,
  vendor text not null,
  -- For those who manage the node: without secrets.
  params json not null,
  changed_by text not null,
  changed_on timestamptz not null default now()
);
`,
}
