import type { Migration } from '@figbase/kit/db'

/** Workspaces of an organization with a tombstone of their own. */
export const nodeDeletedWorkspace: Migration = {
  name: '0016-node-deleted-workspace',
  inTransaction: false,
  sql: `create index concurrently node_deleted_workspace_idx on node (organization_id, deleted_on desc, id)
  where deleted_on is not null and organization_id is not null`,
}
