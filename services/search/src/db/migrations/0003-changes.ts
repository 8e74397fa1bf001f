import type { Migration } from '@figbase/kit/db'

export const changes: Migration = {
  name: '0003-changes',
  sql: `
create sequence change_seq;

-- Objects that changed since they were indexed.
create table change (
  id uuid constraint change_pkey primary key,
  -- Increases with each change.
  seq bigint not null default nextval('change_seq'),
  -- Everything below it has a new place.
  moves_subtree boolean not null default false,
  -- The revisions of a figure or an asset must be indexed again.
  renames_revisions boolean not null default false,
  -- 0: it changed; 1: only a new index needs it.
  priority int not null default 0,
  attempts int not null default 0,
  due_on timestamptz not null default now(),
  claimed_until timestamptz
);
create index change_due_idx on change (priority, due_on, seq);

-- The index that is searched, the one that is being built to replace it, and old ones that must be dropped.
create table index_generation (
  generation int constraint index_generation_pkey primary key,
  state text not null constraint index_generation_state_check check (state in ('live', 'building', 'old')),
  -- The engine and its version that wrote it.
  engine text not null,
  version text not null,
  -- How far it is built: the next page of all objects, and the numbers of objects.
  page_token text not null default '',
  objects bigint not null default 0,
  total bigint not null default 0,
  started_on timestamptz not null default now()
);
create unique index index_generation_state_key on index_generation (state) where state <> 'old';

create table purge_progress (
  is_only boolean constraint purge_progress_pkey primary key default true,
  page_token text not null,
  constraint purge_progress_check check (is_only)
);
`,
}
