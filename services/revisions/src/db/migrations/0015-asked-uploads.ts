import type { Migration } from '@figbase/kit/db'

export const uploadTakeover: Migration = {
  name: '0015-asked-uploads',
  sql: `
-- The request that asked for the upload last: one that asked before it may not begin to add any more.
alter table resumable_upload add column asked_id uuid;
`,
}
