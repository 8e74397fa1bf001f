import type { Migration } from '@figbase/kit/db'

export const shortIds: Migration = {
  name: '0004-short-ids',
  sql: `
create table short_id_prefix (
  prefix text collate "C" constraint short_id_prefix_pkey primary key,
  username text not null,
  -- The server draws short ids from it for its user; the user's own are numbered by his clients.
  is_servers boolean not null,
  next_index bigint not null default 0,
  constraint short_id_prefix_check check (prefix ~ '^[0-9a-zA-Z]{8}$')
);
-- How many a user has.
create index short_id_prefix_username_idx on short_id_prefix (username) where not is_servers;
create unique index short_id_prefix_servers_key on short_id_prefix (username) where is_servers;

alter table revision add column short_id text collate "C";
create unique index revision_short_id_key on revision (short_id) where short_id is not null;
`,
}
