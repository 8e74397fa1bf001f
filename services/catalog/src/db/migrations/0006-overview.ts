import type { Migration } from '@figbase/kit/db'

export const overview: Migration = {
  name: '0006-overview',
  sql: `
-- How many live nodes of these types are below.
alter table node_stat
  add column analyses integer not null default 0,
  add column figures integer not null default 0,
  add column assets integer not null default 0,
  add column stories integer not null default 0,
  -- Those of the node, to find what was active in a workspace.
  add column workspace_id uuid,
  add column type text;
alter table node_delta
  add column analyses integer not null default 0,
  add column figures integer not null default 0,
  add column assets integer not null default 0,
  add column stories integer not null default 0,
  add column workspace_id uuid;
insert into node_stat as s (node_id, analyses, figures, assets, stories)
select a.id, count(*) filter (where n.type = 'analysis'), count(*) filter (where n.type = 'figure'),
       count(*) filter (where n.type = 'asset'), count(*) filter (where n.type = 'story')
  from node n, unnest(n.lineage[:cardinality(n.lineage) - 1]) as a (id)
 where n.state = 'active' and n.type in ('analysis', 'figure', 'asset', 'story')
   and not exists (select from tombstone t where t.node_id = any(n.lineage))
 group by a.id
on conflict on constraint node_stat_pkey do update
  set analyses = excluded.analyses, figures = excluded.figures, assets = excluded.assets,
      stories = excluded.stories;
update node_stat s set workspace_id = n.workspace_id, type = n.type from node n where n.id = s.node_id;

create index node_stat_recent_idx on node_stat (workspace_id, type, child_updated_on, node_id)
  where child_updated_on is not null;
create index node_delta_workspace_idx on node_delta (workspace_id);
create index node_updated_idx on node (workspace_id, type, updated_on, seq)
  where updated_on is not null;
`,
}
