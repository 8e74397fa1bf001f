import type { Migration } from '@figbase/kit/db'

export const thumbnailsOfData: Migration = {
  name: '0002-thumbnails-of-data',
  sql: `
-- Null: the bytes are those of the data object.
alter table thumbnail alter column key drop not null;
-- What is activated is catalog's to know.
alter table figure_revision drop column activated;
-- Jobs of the queue that was there before: they may run twice.
select enqueue_job('process-revision', id::text,
                   json_build_object('revisionId', id, 'workspaceId', '', 'silent', false), null, 0, null, 25)
  from figure_revision where is_processing;
`,
}
