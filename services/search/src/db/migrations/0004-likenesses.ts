import type { Migration } from '@figbase/kit/db'

export const likenesses: Migration = {
  name: '0004-likenesses',
  sql: `
-- What figure revisions mean, and what their pictures look like.
create table likeness (
  revision_id uuid constraint likeness_pkey primary key,
  -- Texts to embed, and their hash.
  passages json not null default '[]',
  passages_hash text not null default '',
  -- The vector of the texts with this hash, and the model that made it.
  embedded_hash text,
  model text,
  vector bytea,
  -- The hash of the picture, and of the one that was read; empty: none.
  picture text not null default '',
  picture_read text,
  picture_version int,
  picture_global bytea,
  picture_local bytea,
  recognized_text text not null default '',
  -- Why the picture or the texts could not be read.
  problem text,
  changed_on timestamptz not null default clock_timestamp()
);
alter table likeness alter column vector set storage external;
alter table likeness alter column picture_local set storage external;
create index likeness_changed_idx on likeness (changed_on, revision_id);
`,
}
