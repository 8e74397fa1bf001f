import type { Migration } from '@figbase/kit/db'

export const importChanges: Migration = {
  name: '0019-import-changes',
  sql: `
-- The newest imports that created the first revision of the slot, another one, and a new path; null: none.
alter table git_slot
  add column created_by_import uuid,
  add column changed_by_import uuid,
  add column renamed_by_import uuid,
  -- Those in the metadata of the last imported revision.
  add column tags text[] not null default '{}';
`,
}
