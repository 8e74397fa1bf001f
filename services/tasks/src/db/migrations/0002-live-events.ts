export const liveEvents = {
  name: '0002-live-events',
  sql: `
-- What is sent to those who follow; the ids grow in the order of the commits. Of a task, the newest.
create table live_event (
  id bigint generated always as identity constraint live_event_pkey primary key,
  at timestamptz not null default now(),
  owner text,
  workspace_id uuid,
  object_id uuid,
  task_id uuid constraint live_event_task_key unique,
  message json not null
) with (autovacuum_vacuum_scale_factor = 0.05);
create index live_event_owner_idx on live_event (owner, id) where owner is not null;
create index live_event_workspace_idx on live_event (workspace_id, id) where workspace_id is not null;
create index live_event_at_idx on live_event (at);
`,
}
