import type { Migration } from '@figbase/kit/db'

export const aiReplies: Migration = {
  name: '0002-ai-replies',
  sql: `
-- Who asked for a reply by AI; null for all other comments.
alter table comment add column requested_by text;`,
}
