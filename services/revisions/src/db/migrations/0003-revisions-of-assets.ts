import type { Migration } from '@figbase/kit/db'

/** Revisions of figures and of assets are one thing. */
export const revisionsOfAssets: Migration = {
  name: '0003-revisions-of-assets',
  sql: `
alter table figure_revision rename to revision;
alter table revision rename column figure_id to parent_id;
alter table revision rename constraint figure_revision_pkey to revision_pkey;
alter table revision rename constraint figure_revision_index_key to revision_index_key;
alter table figure_counter rename to revision_counter;
alter table revision_counter rename column figure_id to parent_id;
alter table revision_counter rename constraint figure_counter_pkey to revision_counter_pkey;

alter table revision
  add column type text not null default 'figure_revision',
  add column data_hash text,
  add column description text,
  add column description_author text,
  add column description_written_on timestamptz,
  add constraint revision_type_check check (type in ('figure_revision', 'asset_revision'));
alter table revision alter column type drop default;
-- Which asset revisions hold these bytes, oldest first.
create index revision_data_hash_idx on revision (data_hash, seq) where data_hash is not null;

alter table external_data add column created_by text, add column created_on timestamptz;
update external_data d set created_by = r.created_by, created_on = r.created_on
  from revision r where r.id = d.revision_id;
alter table external_data alter column created_by set not null, alter column created_on set not null;
`,
}
