import type { Migration } from '@figbase/kit/db'

/** The figure revisions of a workspace that use assets, by age. */
export const usedAssets: Migration = {
  name: '0022-used-assets',
  inTransaction: false,
  sql: 'create index concurrently node_uses_idx on node (workspace_id, created_on, seq) where uses > 0',
}
