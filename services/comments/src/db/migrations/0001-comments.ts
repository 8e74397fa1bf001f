import type { Migration } from '@figbase/kit/db'

export const comments: Migration = {
  name: '0001-comments',
  sql: `
-- What is commented on. Locked by whoever changes its comments, which it counts.
create table target (
  id uuid constraint target_pkey primary key,
  type text not null constraint target_type_check
    check (type in ('figure', 'figure_revision', 'asset', 'asset_revision')),
  comments int not null default 0,
  -- Those that answer no other.
  threads int not null default 0,
  content_bytes bigint not null default 0
);

create table comment (
  id uuid constraint comment_pkey primary key,
  seq bigint generated always as identity,
  target_id uuid not null constraint comment_target_fkey references target (id) on delete cascade,
  parent_id uuid constraint comment_parent_fkey references comment (id),
  -- 1: it answers no other.
  depth int not null,
  author text not null,
  content text not null,
  is_edited boolean not null default false,
  -- Answers keep its place.
  is_deleted boolean not null default false,
  created_on timestamptz not null,
  updated_on timestamptz not null
);
create index comment_target_idx on comment (target_id, created_on, seq);
create index comment_parent_idx on comment (parent_id) where parent_id is not null;
create index comment_author_idx on comment (author, created_on, seq) where not is_deleted;

create table reaction (
  id uuid constraint reaction_pkey primary key,
  seq bigint generated always as identity,
  comment_id uuid not null constraint reaction_comment_fkey references comment (id) on delete cascade,
  username text not null,
  emoji text not null,
  created_on timestamptz not null default clock_timestamp(),
  constraint reaction_key unique (comment_id, username, emoji)
);
create index reaction_comment_idx on reaction (comment_id, created_on, seq);
create index reaction_username_idx on reaction (username, created_on, seq);

-- Whom a comment has ever mentioned: each is told once.
create table mention (
  comment_id uuid not null constraint mention_comment_fkey references comment (id) on delete cascade,
  -- In lower case, as it was written: there may be no such user.
  username text not null,
  mailed_on timestamptz,
  constraint mention_pkey primary key (comment_id, username)
);

-- Catalog's page token for the deletions that come next.
create table purge_progress (
  is_only boolean constraint purge_progress_pkey primary key default true,
  page_token text not null,
  constraint purge_progress_check check (is_only)
);
`,
}
