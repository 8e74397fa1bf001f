import type { Migration } from '@figbase/kit/db'

export const updates: Migration = {
  name: '0005-updates',
  sql: `
-- How often its data changed, with the first time.
alter table revision add column content_version int not null default 1;

-- What an update replaced has no place any more, and stays readable for a while.
alter table external_data
  alter column position drop not null,
  add column detached_on timestamptz,
  add constraint external_data_detached_check check ((position is null) = (detached_on is not null)),
  drop constraint external_data_position_key;
-- Deferrable, so that one statement may change places.
alter table external_data
  add constraint external_data_position_key unique (revision_id, position) deferrable;
create index external_data_detached_idx on external_data (detached_on) where detached_on is not null;

-- Committed updates that catalog may not have applied yet; the id is that of its reservation.
create table revision_update (
  id uuid constraint revision_update_pkey primary key,
  seq bigint not null generated always as identity,
  revision_id uuid not null
    constraint revision_update_revision_fkey references revision on delete cascade,
  author text not null,
  has_data boolean not null,
  silent boolean not null
);
-- Those of a revision, in their order.
create index revision_update_revision_idx on revision_update (revision_id, seq);

create table asset_link (
  figure_revision_id uuid not null
    constraint asset_link_figure_fkey references revision on delete cascade,
  asset_revision_id uuid not null
    constraint asset_link_asset_fkey references revision on delete cascade,
  use_type smallint not null,
  -- In the list of the figure revision.
  position int not null,
  seq bigint not null generated always as identity,
  constraint asset_link_pkey primary key (figure_revision_id, asset_revision_id, use_type)
);
-- What uses an asset revision, oldest first.
create index asset_link_asset_idx on asset_link (asset_revision_id, seq);
`,
}
