import type { Migration } from '@figbase/kit/db'

export const volumes: Migration = {
  name: '0003-volumes',
  sql: `
-- When the volume of a terminated instance may be deleted; null: at once.
alter table instance add column removes_on timestamptz;
`,
}
