import type { Migration } from '@figbase/kit/db'

export const resumableUploads: Migration = {
  name: '0011-resumable-uploads',
  sql: `
-- Bytes that come in several calls, until a revision uses them.
create table resumable_upload (
  id uuid constraint resumable_upload_pkey primary key,
  owner text not null,
  workspace_id uuid not null,
  -- Where something is to be created or changed, and its type in the contracts.
  target_id uuid not null,
  target_type smallint not null,
  metadata text not null,
  -- Null: not known yet.
  length_bytes bigint,
  offset_bytes bigint not null default 0,
  segments int not null default 0,
  -- Of a direct upload: where its sender puts the bytes by itself.
  direct_key text,
  -- 'ended': used, terminated or expired; what no blob has taken over is to be removed, then the row.
  state text not null default 'open',
  -- The call that appends now, and the process that receives it.
  append_id uuid,
  append_instance int,
  created_on timestamptz not null default now(),
  expires_on timestamptz not null,
  constraint resumable_upload_state_check check (state in ('open', 'ended')),
  constraint resumable_upload_offset_check check (offset_bytes between 0 and length_bytes),
  constraint resumable_upload_append_check check ((append_id is null) = (append_instance is null))
);
-- How many a user has open.
create index resumable_upload_owner_idx on resumable_upload (owner) where state = 'open';
-- What they will take of a plan.
create index resumable_upload_workspace_idx on resumable_upload (workspace_id) where state = 'open';
-- What has expired, and what is to be removed.
create index resumable_upload_expires_idx on resumable_upload (expires_on) where state = 'open';
create index resumable_upload_ended_idx on resumable_upload (id) where state = 'ended';

-- The stored objects of an upload: together they are its first offset_bytes bytes.
create table upload_segment (
  upload_id uuid not null
    constraint upload_segment_upload_fkey references resumable_upload on delete cascade,
  offset_bytes bigint not null,
  key text not null,
  size_bytes bigint not null,
  digest text not null,
  constraint upload_segment_pkey primary key (upload_id, offset_bytes),
  constraint upload_segment_size_check check (size_bytes > 0),
  constraint upload_segment_digest_check check (digest ~ '^[0-9a-f]{64}$')
);
-- Whether a stored object is part of an upload.
create unique index upload_segment_key_key on upload_segment (key);
`,
}
