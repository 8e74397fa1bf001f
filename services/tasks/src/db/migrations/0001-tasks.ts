export const tasks = {
  name: '0001-tasks',
  sql: `
create table task (
  id uuid constraint task_pkey primary key,
  seq bigint generated always as identity,
  owner text not null,
  name text not null,
  type text not null,
  status text not null default 'PENDING' constraint task_status_check
    check (status in ('PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'REVOKED')),
  progress_percent smallint not null default 0,
  status_message text,
  detail json,
  result json,
  error text,
  logs_dropped integer not null default 0,
  created_on timestamptz not null default now(),
  started_on timestamptz,
  completed_on timestamptz,
  revoked_by text
);
create index task_owner_idx on task (owner, status, created_on desc, seq desc);
create index task_completed_idx on task (completed_on) where completed_on is not null;

create table task_log (
  task_id uuid not null constraint task_log_task_fkey references task on delete cascade,
  seq bigint generated always as identity,
  at timestamptz not null,
  line text not null,
  constraint task_log_pkey primary key (task_id, seq)
);
`,
}
