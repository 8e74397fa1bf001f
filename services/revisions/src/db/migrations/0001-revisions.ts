import type { Migration } from '@figbase/kit/db'

export const revisions: Migration = {
  name: '0001-revisions',
  sql: `
-- Zero-based indexes without gaps: the row is locked from the draw to the commit.
create table figure_counter (
  figure_id uuid constraint figure_counter_pkey primary key,
  next_index int not null
);

create table figure_revision (
  id uuid constraint figure_revision_pkey primary key,
  seq bigint not null generated always as identity,
  figure_id uuid not null,
  revision_index int not null,
  metadata json not null,
  is_clean_room boolean not null,
  is_processing boolean not null,
  -- How often a worker began with it: what kills the process must not do so for ever.
  processing_attempts int not null default 0,
  activated boolean not null default false,
  image_hash text,
  created_by text not null,
  created_on timestamptz not null,
  version int not null default 1,
  constraint figure_revision_index_key unique (figure_id, revision_index)
);

create table blob (
  id uuid constraint blob_pkey primary key,
  storage text not null,
  key text not null,
  digest text not null,
  size_bytes bigint not null,
  refs int not null,
  constraint blob_digest_check check (digest ~ '^[0-9a-f]{64}$'),
  constraint blob_refs_check check (refs >= 0)
);
-- One live blob for the same bytes; a dying one (no refs) does not meet a new upload of them.
create unique index blob_live_key on blob (storage, digest) where refs > 0;
-- Which staged objects became blobs.
create unique index blob_key_key on blob (key);
-- What the collector looks for.
create index blob_dead_idx on blob (id) where refs = 0;

create table external_data (
  id uuid constraint external_data_pkey primary key,
  revision_id uuid not null
    constraint external_data_revision_fkey references figure_revision on delete cascade,
  position int not null,
  name text,
  type smallint not null,
  metadata json not null,
  is_clean_room boolean not null,
  blob_id uuid not null constraint external_data_blob_fkey references blob,
  size_bytes bigint not null,
  hash text not null,
  processing_error text,
  -- The data of a revision, in order.
  constraint external_data_position_key unique (revision_id, position)
);
-- For the foreign key, when a blob is collected.
create index external_data_blob_idx on external_data (blob_id);

-- Objects staged under uploads/<id>/ that are nobody's yet.
create table upload (
  id uuid constraint upload_pkey primary key,
  instance int not null,
  state text not null default 'open',
  started_on timestamptz not null default now(),
  constraint upload_state_check check (state in ('open', 'committed', 'discarded'))
);

create table thumbnail (
  revision_id uuid constraint thumbnail_pkey primary key
    constraint thumbnail_revision_fkey references figure_revision on delete cascade,
  data_id uuid not null,
  key text not null,
  width int not null,
  height int not null,
  digest text not null
);
`,
}
