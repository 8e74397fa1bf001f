export const plans = {
  name: '0005-plans',
  sql: `
-- Null does not limit.
create table plan (
  id uuid constraint plan_pkey primary key,
  seq bigint generated always as identity,
  name text not null constraint plan_name_key unique,
  description text not null,
  monthly_cost numeric(12, 2) not null,
  annual_cost numeric(12, 2) not null,
  max_storage_bytes bigint,
  max_users integer,
  allow_flexible_storage boolean not null,
  monthly_token_quota bigint,
  deep_insight_rate integer,
  compute_enabled boolean not null,
  compute_max_running_instances integer,
  idle_shutdown_required boolean not null,
  max_idle_seconds integer,
  default_idle_seconds integer,
  max_data_volume_gb integer,
  is_self_service boolean not null,
  is_default boolean not null default false
);
create unique index plan_default_key on plan (is_default) where is_default;
insert into plan (id, name, description, monthly_cost, annual_cost, allow_flexible_storage,
                  compute_enabled, idle_shutdown_required, default_idle_seconds, is_self_service,
                  is_default)
values ('3f6d2a54-6c0e-4b7f-9d57-1a2f6f0c8e11', 'Self-hosted',
        'Everything that this installation can give, without limits.', 0, 0, true, true, false, 3600,
        true, true);

create table subscription (
  node_id uuid constraint subscription_pkey primary key,
  plan_id uuid constraint subscription_plan_fkey references plan,
  compute_overages_enabled boolean not null default false,
  changed_by text not null,
  changed_on timestamptz not null default now()
);
create index subscription_plan_idx on subscription (plan_id);

create table promotion (
  code text constraint promotion_pkey primary key,
  seq bigint generated always as identity,
  plan_id uuid not null constraint promotion_plan_fkey references plan,
  created_by text not null,
  created_on timestamptz not null default now(),
  expires_on timestamptz,
  uses_max integer,
  uses integer not null default 0
);
create index promotion_created_idx on promotion (created_on, seq);
create index promotion_plan_idx on promotion (plan_id);
create table promotion_use (
  code text not null,
  node_id uuid not null,
  used_by text not null,
  used_on timestamptz not null default now(),
  constraint promotion_use_pkey primary key (code, node_id)
);

-- What a pending node will hold, where its plan limits it.
alter table node add column held_bytes bigint;
create index node_held_idx on node (workspace_id) where held_bytes is not null;
`,
}
