import type { Migration } from '@figbase/kit/db'

export const instances: Migration = {
  name: '0001-instances',
  sql: `
create table instance (
  id uuid constraint instance_pkey primary key,
  seq bigint generated always as identity,
  workspace_id uuid not null,
  -- Whose plan pays: the organization, or a workspace outside any.
  holder_id uuid not null,
  owner text not null,
  name text not null,
  tier text not null,
  data_volume_gb int not null,
  desired text not null constraint instance_desired_check
    check (desired in ('running', 'stopped', 'terminated')),
  observed text not null constraint instance_observed_check
    check (observed in ('none', 'starting', 'running', 'stopped', 'failed', 'gone')),
  -- The current or the last run.
  run_id uuid not null,
  -- Why it failed, or waits for another attempt.
  detail text not null default '',
  attempts int not null default 0,
  retry_on timestamptz,
  -- What the notebook server needs to know, and no user may; empty while none runs.
  secrets_sealed bytea not null default '',
  api_key_id uuid,
  -- A key that is to be deleted in identity.
  old_api_key_id uuid,
  address text not null default '',
  running_since timestamptz,
  heartbeat json,
  heartbeat_on timestamptz,
  last_activity_on timestamptz,
  -- When it is stopped, because the allowance is exhausted; null: it is not.
  ends_on timestamptz,
  idle_shutdown_enabled boolean not null,
  idle_shutdown_seconds int not null,
  -- Of the row, incremented with each change but heartbeats.
  version int not null default 1,
  created_on timestamptz not null default clock_timestamp(),
  updated_on timestamptz not null default clock_timestamp()
);
create index instance_workspace_idx on instance (workspace_id, created_on desc, seq desc)
  where desired <> 'terminated';
create index instance_holder_idx on instance (holder_id) where desired = 'running';
-- Those that the reconciler looks at.
create index instance_active_idx on instance (id)
  where desired = 'running' or observed in ('none', 'starting', 'running')
     or desired = 'terminated' and observed <> 'gone' or api_key_id is not null or old_api_key_id is not null;

create table instance_event (
  seq bigint generated always as identity constraint instance_event_pkey primary key,
  instance_id uuid not null constraint instance_event_instance_fkey references instance (id),
  kind text not null,
  lifecycle text not null,
  detail text not null,
  -- Empty: Figbase itself.
  actor text not null,
  created_on timestamptz not null default clock_timestamp()
);
create index instance_event_instance_idx on instance_event (instance_id, created_on desc, seq desc);

-- What the driver ran. A run that begins again, after all of its instance was removed, is a row of its own.
create table run (
  id uuid not null,
  started_on timestamptz not null,
  instance_id uuid not null constraint run_instance_fkey references instance (id),
  workspace_id uuid not null,
  holder_id uuid not null,
  tier text not null,
  ran_ms bigint not null,
  -- started_on + ran_ms, until now or until it ended.
  ended_on timestamptz not null,
  has_ended boolean not null,
  constraint run_pkey primary key (id, started_on)
);
create index run_instance_idx on run (instance_id, ended_on);
create index run_workspace_idx on run (workspace_id, ended_on);
create index run_holder_idx on run (holder_id, ended_on);
`,
}
