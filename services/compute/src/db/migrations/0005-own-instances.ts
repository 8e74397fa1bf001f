import type { Migration } from '@figbase/kit/db'

export const ownInstances: Migration = {
  name: '0005-own-instances',
  sql: `
create index instance_of_owner_idx on instance (owner, created_on desc, seq desc);
create index instance_kept_idx on instance (workspace_id) where observed <> 'gone';
`,
}
