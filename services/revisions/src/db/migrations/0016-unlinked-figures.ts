import type { Migration } from '@figbase/kit/db'

export const unlinkedFigures: Migration = {
  name: '0016-unlinked-figures',
  sql: `
-- The figure revision whose link the update removed.
alter table revision_update add column figure_revision_id uuid;
`,
}
