import type { Migration } from '@figbase/kit/db'

export const gitRepositories: Migration = {
  name: '0017-git-repositories',
  sql: `
create table git_repository (
  id uuid constraint git_repository_pkey primary key,
  seq bigint generated always as identity,
  -- An analysis or a workspace.
  target_id uuid not null,
  target_type text not null,
  workspace_id uuid not null,
  url text not null,
  branch text not null,
  token_sealed bytea not null default '',
  ssh_key_id uuid,
  include text[] not null,
  exclude text[] not null,
  -- Empty: none.
  schedule text not null,
  next_import_on timestamptz,
  -- Lines of known_hosts that were accepted at the first use.
  host_keys text not null default '',
  host_key_fingerprints text[] not null default '{}',
  push_secret_sealed bytea not null,
  -- Of the newest import that succeeded.
  imported_commit text not null default '',
  created_by text not null,
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now()
);
create index git_repository_target_idx on git_repository (target_id, seq);
create index git_repository_workspace_idx on git_repository (workspace_id);
create index git_repository_due_idx on git_repository (next_import_on) where next_import_on is not null;

create table git_import (
  id uuid constraint git_import_pkey primary key,
  seq bigint generated always as identity,
  repository_id uuid not null constraint git_import_repository_fkey references git_repository on delete cascade,
  task_id uuid not null,
  state text not null default 'WAITING',
  trigger text not null,
  -- It was requested again while it was running.
  is_repeated boolean not null default false,
  created_on timestamptz not null default now(),
  ended_on timestamptz,
  commit_id text not null default '',
  error text not null default '',
  counts json not null default '{}',
  refused json not null default '[]'
);
create unique index git_import_open_key on git_import (repository_id) where ended_on is null;
create index git_import_list_idx on git_import (repository_id, created_on, seq);
create index git_import_open_idx on git_import (created_on) where ended_on is null;

-- The analysis, figure or asset that belongs to a path of a repository.
create table git_slot (
  -- That of the node in catalog.
  id uuid constraint git_slot_pkey primary key,
  repository_id uuid not null constraint git_slot_repository_fkey references git_repository on delete cascade,
  kind text not null,
  path text not null,
  -- The name that the import gave to the node.
  name text not null,
  -- The analysis; null: the slot is one.
  analysis_id uuid,
  is_created boolean not null default false,
  -- The files of the last imported revision; null: there is none.
  content json,
  revision_id uuid,
  revisions int not null default 0,
  constraint git_slot_path_key unique (repository_id, kind, path)
);
`,
}
