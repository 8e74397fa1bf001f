import type { Migration } from '@figbase/kit/db'

export const deletions: Migration = {
  name: '0010-deletions',
  sql: `
-- What was deleted, in that order. As a second key, node_id would make it look good for checks of one node.
create index tombstone_deleted_idx on tombstone (deleted_on) include (node_id);
`,
}
