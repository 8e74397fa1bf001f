import type { Migration } from '@figbase/kit'

export const newestRevisions: Migration = {
  name: '0004-newest-revisions',
  sql: `
-- The second node on the path of a figure revision is its analysis.
create index node_analysis_revisions_idx on node ((lineage[2]), created_on, seq)
  where type = 'figure_revision';
`,
}
