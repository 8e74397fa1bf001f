import type { Migration } from '@figbase/kit/db'

export const storages: Migration = {
  name: '0010-storages',
  sql: `
-- Storage that is not ours: blobs name it by its id. Of the vendor aws, the installation says how it is reached.
create table storage (
  id uuid constraint storage_pkey primary key,
  -- The workspace or the organization that brought it.
  holder_id uuid not null,
  vendor text not null,
  endpoint text not null,
  region text not null,
  bucket text not null,
  -- Where our folder is in the bucket.
  prefix text not null,
  access_key text not null,
  -- Encrypted by a key of the installation; empty for the vendor aws.
  secret_sealed bytea not null,
  created_on timestamptz not null default now(),
  -- Grows with each change of region or keys.
  version int not null default 1,
  constraint storage_place_key unique (holder_id, vendor, endpoint, bucket, prefix)
);
`,
}
