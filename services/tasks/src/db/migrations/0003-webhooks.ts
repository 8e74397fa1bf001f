export const webhooks = {
  name: '0003-webhooks',
  sql: `
create table webhook (
  id uuid constraint webhook_pkey primary key,
  seq bigint generated always as identity,
  workspace_id uuid,
  organization_id uuid,
  url text not null,
  secret_sealed bytea not null,
  previous_secret_sealed bytea not null default '',
  previous_secret_until timestamptz,
  events text[] not null,
  object_ids uuid[] not null,
  format text not null,
  payload text not null,
  is_active boolean not null,
  deactivation_reason text not null default '',
  failing_since timestamptz,
  created_by text not null,
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  constraint webhook_place_check check (num_nonnulls(workspace_id, organization_id) = 1)
);
create index webhook_workspace_idx on webhook (workspace_id, seq) where workspace_id is not null;
create index webhook_organization_idx on webhook (organization_id, seq) where organization_id is not null;

-- The organization of each workspace that is or was in one, as of the newest event.
create table workspace_place (
  workspace_id uuid constraint workspace_place_pkey primary key,
  organization_id uuid,
  at timestamptz not null
);

create table webhook_delivery (
  id uuid constraint webhook_delivery_pkey primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  webhook_id uuid not null constraint webhook_delivery_webhook_fkey references webhook on delete cascade,
  event text not null,
  -- Deliveries of one object are sent in the order of seq.
  object_id uuid not null,
  data json not null,
  state text not null default 'PENDING',
  created_on timestamptz not null default now(),
  attempts int not null default 0,
  body text,
  attempted_on timestamptz,
  duration_ms int,
  response_status int,
  response_body text,
  error text
) with (autovacuum_vacuum_scale_factor = 0.05);
create index webhook_delivery_list_idx on webhook_delivery (webhook_id, created_on, seq);
create index webhook_delivery_pending_idx on webhook_delivery (webhook_id, object_id, seq) where state = 'PENDING';
create index webhook_delivery_created_idx on webhook_delivery (created_on);

-- The objects of each active webhook with pending deliveries.
create table webhook_queue (
  id bigint generated always as identity constraint webhook_queue_id_key unique,
  webhook_id uuid not null constraint webhook_queue_webhook_fkey references webhook on delete cascade,
  object_id uuid not null,
  -- Of the next attempt; that of a running one is the end of its lease.
  due_on timestamptz not null default now(),
  -- Incremented with each new delivery.
  version int not null default 0,
  constraint webhook_queue_pkey primary key (webhook_id, object_id)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index webhook_queue_due_idx on webhook_queue (webhook_id, due_on);
create index webhook_queue_next_idx on webhook_queue (due_on);
`,
}
