import type { Migration } from '@figbase/kit/db'

export const autoAssign: Migration = {
  name: '0007-auto-assign',
  sql: `
-- Difference hash of the picture; null for those that were made before there was one.
alter table thumbnail add column likeness bigint;

-- Revisions of which it is not known yet to which figure they belong.
create table assignment (
  revision_id uuid constraint assignment_pkey primary key,
  -- The temporary one.
  figure_id uuid not null,
  analysis_id uuid not null,
  username text not null,
  silent boolean not null,
  started_on timestamptz not null default now(),
  -- Since the revision is committed.
  workspace_id uuid,
  task_id uuid,
  -- Where it is going, since that is known.
  target_id uuid
);
-- Whose revisions are no example.
create index assignment_figure_idx on assignment (figure_id);
`,
}
