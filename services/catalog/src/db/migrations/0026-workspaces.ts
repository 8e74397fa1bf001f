import type { Migration } from '@figbase/kit/db'

/** All workspaces, without reading all nodes. */
export const workspaces: Migration = {
  name: '0026-workspaces',
  inTransaction: false,
  sql: `create index concurrently node_is_workspace_idx on node (id) where type = 'workspace'`,
}
