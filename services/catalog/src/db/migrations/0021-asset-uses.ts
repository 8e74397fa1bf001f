import type { Migration } from '@figbase/kit/db'

export const assetUses: Migration = {
  name: '0021-asset-uses',
  sql: `
-- Of figure revisions: the number of asset revisions that they use, and the version of the revision with these uses. Null
-- while catalog does not know them.
alter table node add column uses integer, add column uses_version integer;

create table asset_use (
  figure_revision_id uuid not null,
  asset_revision_id uuid not null,
  -- The parent and the position of the asset revision, which never change.
  asset_id uuid not null,
  position integer not null,
  constraint asset_use_pkey primary key (figure_revision_id, asset_revision_id)
);
create index asset_use_asset_idx on asset_use (asset_id, figure_revision_id);

-- The revisions of an asset up to this position do not make the figure stale.
create table confirmation (
  figure_id uuid not null,
  asset_id uuid not null,
  position integer not null,
  constraint confirmation_pkey primary key (figure_id, asset_id)
);

-- The newest revision of an asset that was announced to make figures stale.
create table asset_told (
  asset_id uuid constraint asset_told_pkey primary key,
  position integer not null
);

-- The assets that make a figure stale: for each, the newest revision that the newest revision of the figure uses, and the
-- newest revision. Uses node_children_idx and asset_use_pkey.
create function stale_uses(figure uuid)
returns table (asset_id uuid, used_id uuid, used_position integer, newest_id uuid, newest_position integer,
               changed_on timestamptz, changed_by text)
language sql stable as $$
  select u.asset_id, u.used_id, u.used_position, n.id, n.position, n.created_on, n.created_by
    from (
      select distinct on (a.asset_id) a.asset_id, a.asset_revision_id as used_id, a.position as used_position
        from asset_use a
       where a.figure_revision_id = (
         select r.id from node r
          where r.parent_id = figure and r.type = 'figure_revision' and r.state = 'active'
            and not exists (select from tombstone t where t.node_id = any(r.lineage) offset 0)
          order by r.position desc, r.created_on desc, r.seq desc limit 1)
       order by a.asset_id, a.position desc
    ) u
    cross join lateral (
      select r.id, r.position, r.created_on, r.created_by from node r
       where r.parent_id = u.asset_id and r.type = 'asset_revision' and r.state = 'active'
         and not exists (select from tombstone t where t.node_id = any(r.lineage) offset 0)
       order by r.position desc, r.created_on desc, r.seq desc limit 1
    ) n
   where n.position > u.used_position
     and not exists (
       select from confirmation c
        where c.figure_id = figure and c.asset_id = u.asset_id and c.position >= n.position)
$$;

-- A function, so that a query that meets no figure does not open the tables. The cost makes a filter call it last.
create function is_stale(figure uuid) returns boolean language plpgsql stable cost 10000 as $$
begin
  return exists (select from stale_uses(figure));
end
$$;`,
}
