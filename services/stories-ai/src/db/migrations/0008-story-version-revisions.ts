import type { Migration } from '@figbase/kit/db'

/** The stories that tell a revision. */
export const storyVersionRevisions: Migration = {
  name: '0008-story-version-revisions',
  inTransaction: false,
  sql: 'create index concurrently story_version_revisions_idx on story_version using gin (revision_ids)',
}
