import type { Migration } from '@figbase/kit/db'

export const ranking: Migration = {
  name: '0005-ranking',
  sql: `
-- The words of the name and the description: among equals, a short one is more about its words. Entries of earlier
-- versions have none until they are indexed again.
alter table entry add column title_words int not null default 0;

-- The newest objects of a caller, for queries of frequent words.
create index place_workspace_newest_idx on place (workspace_id, created_on desc, id);
create index place_analysis_newest_idx on place (analysis_id, created_on desc, id);
create index place_item_newest_idx on place (item_id, created_on desc, id);
`,
}
