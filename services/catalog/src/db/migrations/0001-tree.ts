export const tree = {
  name: '0001-tree',
  sql: `
create table node (
  id uuid constraint node_pkey primary key,
  seq bigint generated always as identity,
  type text not null,
  parent_id uuid,
  lineage uuid[] not null,
  workspace_id uuid,
  state text not null constraint node_state_check check (state in ('pending', 'active')),
  position integer not null default 0,
  name text,
  description text,
  workspace_type text,
  size_bytes bigint not null default 0,
  created_by text not null,
  created_on timestamptz not null default now(),
  updated_by text,
  updated_on timestamptz,
  version integer not null default 1,
  deleted_on timestamptz
);
create index node_children_idx on node (parent_id, type, position, created_on, seq);
create index node_workspace_idx on node (workspace_id, type, created_on, seq);
create index node_pending_idx on node (created_on) where state = 'pending';
create unique index node_primary_workspace_key on node (created_by) where workspace_type = 'primary';

create table node_stat (
  node_id uuid constraint node_stat_pkey primary key,
  size_bytes bigint not null default 0,
  children integer not null default 0,
  child_updated_by text,
  child_updated_on timestamptz
);

create table node_delta (
  id bigint generated always as identity constraint node_delta_pkey primary key,
  node_id uuid not null,
  size_bytes bigint not null,
  children integer not null,
  at timestamptz not null,
  actor text not null
);
create index node_delta_node_idx on node_delta (node_id);

create table leaf (
  id uuid constraint leaf_pkey primary key,
  node_id uuid not null,
  size_bytes bigint not null
);
create index leaf_node_idx on leaf (node_id);

create table tombstone (
  node_id uuid constraint tombstone_pkey primary key,
  deleted_by text not null,
  deleted_on timestamptz not null default now()
);

create table access_grant (
  subject text not null,
  node_id uuid not null,
  kind text not null,
  role text not null,
  granted_by text not null,
  granted_on timestamptz not null default now(),
  constraint access_grant_pkey primary key (subject, node_id, kind)
);
create index access_grant_node_idx on access_grant (node_id);

create table activity (
  id uuid not null,
  at timestamptz not null,
  seq bigint generated always as identity,
  action text not null,
  actor text not null,
  request_id text not null,
  is_silent boolean not null,
  workspace_id uuid,
  analysis_id uuid,
  figure_id uuid,
  target_id uuid not null,
  target_type text not null,
  target_name text
) partition by range (at);
create index activity_id_idx on activity (id, at);
create index activity_workspace_idx on activity (workspace_id, at desc, seq desc);
create index activity_analysis_idx on activity (analysis_id, at desc, seq desc)
  where analysis_id is not null;
create index activity_figure_idx on activity (figure_id, at desc, seq desc)
  where figure_id is not null;
create index activity_target_idx on activity (target_id, at desc, seq desc);
`,
}
