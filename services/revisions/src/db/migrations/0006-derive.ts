import type { Migration } from '@figbase/kit/db'

export const derive: Migration = {
  name: '0006-derive',
  sql: `
-- What it was derived from, if that is still there or not.
alter table revision add column derived_from uuid;
alter table external_data add column cloned_from uuid;
`,
}
