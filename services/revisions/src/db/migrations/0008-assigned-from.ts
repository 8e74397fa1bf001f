import type { Migration } from '@figbase/kit/db'

export const assignedFrom: Migration = {
  name: '0008-assigned-from',
  sql: `
-- The temporary figure in which it was made: clients send back what they have read.
alter table revision add column assigned_from uuid;
`,
}
