import type { Migration } from '@figbase/kit/db'

/** Revisions have no name. */
export const childNames: Migration = {
  name: '0020-child-names',
  inTransaction: false,
  sql: `create index concurrently node_child_name_idx
  on node (parent_id, type, (left(name, 200) collate "und-x-icu"), seq) where name is not null`,
}
