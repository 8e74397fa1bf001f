import type { Migration } from '@figbase/kit/db'

/** Nodes of a workspace with a tombstone of their own. */
export const nodeDeleted: Migration = {
  name: '0015-node-deleted',
  inTransaction: false,
  sql: `create index concurrently node_deleted_idx on node (workspace_id, deleted_on desc, id)
  where deleted_on is not null`,
}
