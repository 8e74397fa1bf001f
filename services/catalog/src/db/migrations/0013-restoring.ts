import type { Migration } from '@figbase/kit/db'

export const restoring: Migration = {
  name: '0013-restoring',
  sql: `
alter table tombstone
  -- Where it was, itself last; null of what was deleted before: that counts as not moved.
  add column lineage uuid[],
  -- Set before anything of it is purged: from then on it is not restored.
  add column purge_began_on timestamptz;

-- The workspaces that left an organization because it was deleted: they come back with it.
create table dissolved_workspace (
  workspace_id uuid constraint dissolved_workspace_pkey primary key,
  organization_id uuid not null,
  position integer not null
);
create index dissolved_workspace_organization_idx on dissolved_workspace (organization_id);
`,
}
