import type { Migration } from '@figbase/kit/db'

export const importSources: Migration = {
  name: '0031-import-sources',
  sql: `
-- Where a node was imported from; null: it was not imported.
alter table node add column import_source text;
`,
}
