import type { Migration } from '@figbase/kit/db'

export const importSources: Migration = {
  name: '0018-import-sources',
  sql: `
-- Where a revision was imported from; null: it was not imported.
alter table revision add column import_source text;
`,
}
