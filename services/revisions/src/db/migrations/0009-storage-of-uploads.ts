import type { Migration } from '@figbase/kit/db'

export const storageOfUploads: Migration = {
  name: '0009-storage-of-uploads',
  sql: `
-- Where it stages its objects; null: in the default storage, where those before its parent are in any case.
alter table upload add column storage text;
`,
}
