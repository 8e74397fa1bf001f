import type { Migration } from '@figbase/kit/db'

/** The figure revisions whose uses catalog does not know. */
export const unknownUses: Migration = {
  name: '0023-unknown-uses',
  inTransaction: false,
  sql: `create index concurrently node_unknown_uses_idx on node (seq)
  where type = 'figure_revision' and state = 'active' and uses_version is null`,
}
