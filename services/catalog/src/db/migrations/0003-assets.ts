import type { Migration } from '@figbase/kit/db'

export const assets: Migration = {
  name: '0003-assets',
  sql: `
alter table node add column scope_id uuid;
create index node_scope_idx on node (scope_id, created_on, seq) where scope_id is not null;
-- By a hash: a name may be longer than what an index takes.
create index node_asset_name_idx
  on node (workspace_id, hashtextextended(name, 0), created_on, seq) where type = 'asset';
`,
}
