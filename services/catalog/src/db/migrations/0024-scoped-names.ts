import type { Migration } from '@figbase/kit/db'

/** The assets of an analysis by name. */
export const scopedNames: Migration = {
  name: '0024-scoped-names',
  inTransaction: false,
  sql: `create index concurrently node_scope_name_idx
  on node (scope_id, (left(name, 200) collate "und-x-icu"), seq) where scope_id is not null`,
}
