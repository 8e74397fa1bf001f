import type { Migration } from '@figbase/kit/db'

export const stories: Migration = {
  name: '0001-stories',
  sql: `
create table story (
  id uuid constraint story_pkey primary key,
  -- The current version of its content.
  version int not null,
  -- Of all saved versions.
  size_bytes bigint not null,
  generation_status text constraint story_generation_status_check
    check (generation_status in ('generating', 'refining')),
  revisions_visible boolean not null default false,
  -- The told revisions that readers see through the story, and who opened each: a JSON object.
  opened text not null default '{}',
  created_by text not null,
  created_on timestamptz not null,
  -- For the activation in catalog.
  is_silent boolean not null,
  is_activated boolean not null default false
);

create table story_version (
  story_id uuid not null constraint story_version_story_fkey references story (id) on delete cascade,
  version int not null,
  name text not null,
  description text,
  revision_ids uuid[] not null,
  -- JSON of the slides in their order.
  slides text not null,
  size_bytes bigint not null,
  saved_by text not null,
  saved_on timestamptz not null,
  constraint story_version_pkey primary key (story_id, version)
);

-- What a user has saved.
create index story_version_saved_by_idx on story_version (saved_by, story_id, version desc);

-- Committed updates that catalog may not know yet; the id is that of catalog's reservation.
create table story_update (
  id uuid constraint story_update_pkey primary key,
  seq bigint generated always as identity,
  story_id uuid not null constraint story_update_story_fkey references story (id) on delete cascade,
  author text not null,
  is_silent boolean not null,
  -- For the activity entry.
  note text not null
);
create index story_update_story_idx on story_update (story_id, seq);

-- Catalog's page token for the deletions that come next.
create table purge_progress (
  is_only boolean constraint purge_progress_pkey primary key default true,
  page_token text not null,
  constraint purge_progress_check check (is_only)
);
`,
}
