import type { Migration } from '@figbase/kit/db'

export const exports: Migration = {
  name: '0002-exports',
  sql: `
-- Files of stories, for those who asked for them. An object is stored after its row is inserted and deleted before it.
create table story_export (
  id uuid constraint story_export_pkey primary key,
  story_id uuid not null,
  owner text not null,
  format text not null constraint story_export_format_check check (format in ('markdown', 'pptx')),
  created_on timestamptz not null default now(),
  -- Null until the file is stored.
  size_bytes bigint,
  file_name text,
  -- Those whose content the file shows.
  revision_ids uuid[]
);
create index story_export_created_idx on story_export (created_on);
create index story_export_owner_idx on story_export (owner, created_on);
`,
}
