import type { Migration } from '@figbase/kit'

export const deletions: Migration = {
  name: '0010-deletions',
  sql: `
-- What was deleted, in that order.
create index tombstone_deleted_idx on tombstone (deleted_on, node_id);
`,
}
