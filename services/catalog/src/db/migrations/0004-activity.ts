import type { Migration } from '@figbase/kit/db'

export const activity: Migration = {
  name: '0004-activity',
  sql: `
-- Null in what was written before: where an entry belongs besides is not known of it.
alter table activity
  add column organization_id uuid,
  add column asset_id uuid,
  add column actor_kind text not null default 'user'
    constraint activity_actor_kind_check check (actor_kind in ('user', 'api_key', 'system')),
  -- The entry of the place that something left: it came to another one with an entry of its own.
  add column is_departure boolean not null default false,
  -- From the root down to the target, as it was.
  add column path uuid[] not null default '{}',
  -- JSON of what changed; text, so that its bytes can be hashed.
  add column payload text not null default '{}',
  -- Of a chain that nothing forges unnoticed; nothing makes it yet.
  add column prev_hash bytea,
  add column hash bytea;
update activity set asset_id = target_id where target_type = 'asset';
update activity set is_departure = true
 where action = 'move' and target_id not in (
   select x from unnest(array[analysis_id, figure_id, asset_id]) x where x is not null);

-- Every view leaves out what is silent.
drop index activity_workspace_idx;
drop index activity_analysis_idx;
drop index activity_figure_idx;
drop index activity_target_idx;
create index activity_organization_idx on activity (organization_id, at desc, seq desc)
  where not is_silent and organization_id is not null;
create index activity_workspace_idx on activity (workspace_id, at desc, seq desc)
  where not is_silent and workspace_id is not null;
create index activity_analysis_idx on activity (analysis_id, at desc, seq desc)
  where not is_silent and analysis_id is not null;
create index activity_figure_idx on activity (figure_id, at desc, seq desc)
  where not is_silent and figure_id is not null;
create index activity_asset_idx on activity (asset_id, at desc, seq desc)
  where not is_silent and asset_id is not null;
create index activity_target_idx on activity (target_id, at desc, seq desc) where not is_silent;
create index activity_actor_idx on activity (actor, at) where not is_silent and not is_departure;
`,
}
