import type { Migration } from '@figbase/kit/db'

export const exportsOfStory: Migration = {
  name: '0003-exports-of-story',
  sql: `
-- The exports of a purged story.
create index story_export_story_idx on story_export (story_id);
`,
}
