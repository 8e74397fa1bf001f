import type { Migration } from '../db/migrate.js'

/** The queue, in the schema of the service whose jobs they are. */
export const jobMigrations: Migration[] = [
  {
    name: 'jobs-0001-queue',
    sql: `
create table job (
  id bigint generated always as identity constraint job_pkey primary key,
  name text not null,
  key text,
  payload json not null,
  workspace_id uuid,
  priority smallint not null,
  turn bigint not null,
  state text not null
    constraint job_state_check check (state in ('delayed', 'waiting', 'running', 'dead')),
  run_at timestamptz not null,
  attempts smallint not null default 0,
  attempts_max smallint not null,
  worker uuid,
  again boolean not null default false,
  canceled boolean not null default false,
  error text,
  created_on timestamptz not null default now(),
  ended_on timestamptz
) with (
  -- Rows come and go: what they leave is reused soon, however large the table is.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0
);
create unique index job_key_key on job (name, key) where key is not null and state <> 'dead';
create index job_waiting_idx on job (name, priority, turn, id) where state = 'waiting';
create index job_delayed_idx on job (run_at) where state = 'delayed';
create index job_running_idx on job (name) where state = 'running';
create index job_dead_idx on job (id) where state = 'dead';
create index job_ended_idx on job (ended_on) where state = 'dead';
create index job_workspace_idx on job (workspace_id, turn)
  where workspace_id is not null and state <> 'dead';

-- The turn that was served last. Not a counter: a clock, which enqueuers may read without waiting.
create sequence job_turn minvalue 0 start 0;

create table job_worker (
  id uuid constraint job_worker_pkey primary key,
  seen_on timestamptz not null
);

create table job_schedule (
  name text constraint job_schedule_pkey primary key,
  last_on timestamptz not null
);

-- A job of a workspace comes after all that this workspace has, but never before the clock: whoever
-- has one job waits for one round, whoever has 500 for 500.
create function enqueue_job(
  new_name text, new_key text, new_payload json, new_workspace uuid, new_priority int,
  new_run_at timestamptz, new_attempts_max int
) returns void language plpgsql
-- Planned once; a plan made while the table was small must do when it is large.
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  insert into job (name, key, payload, workspace_id, priority, turn, state, run_at, attempts_max)
  values (new_name, new_key, new_payload, new_workspace, new_priority,
          greatest((select last_value from job_turn),
            (select max(turn) + 1 from job where workspace_id = new_workspace and state <> 'dead')),
          case when new_run_at > now() then 'delayed' else 'waiting' end,
          coalesce(new_run_at, now()), new_attempts_max)
  on conflict (name, key) where key is not null and state <> 'dead' do update
     set payload = excluded.payload, priority = excluded.priority, run_at = excluded.run_at,
         attempts_max = excluded.attempts_max,
         -- What runs goes on with what it was given, and runs once more afterwards.
         state = case when job.state = 'running' then job.state else excluded.state end,
         attempts = case when job.state = 'running' then job.attempts else 0 end,
         again = job.state = 'running';
end
$$;

-- What every name may still have, in turn. One claim at a time, so that limits hold and turns advance.
create function claim_jobs(claimer uuid, places int, job_names text[], job_limits int[])
returns setof job language plpgsql as $$
declare
  claimed job;
  latest bigint := 0;
begin
  perform pg_advisory_xact_lock(hashtext('figbase jobs'), hashtext(current_schema()));
  -- A claim that is lost with the server is made again.
  perform set_config('synchronous_commit', 'off', true);
  for claimed in
    with allowed as materialized (
      select l.name, case when l.most is null then places else least(places,
               l.most - (select count(*) from job where state = 'running' and name = l.name)) end as free
        from unnest(job_names, job_limits) as l (name, most)
    ), chosen as materialized (
      select next.id
        from allowed cross join lateral (
          select id, priority, turn from job
           where state = 'waiting' and name = allowed.name
           order by priority, turn, id
           limit greatest(allowed.free, 0)
             for update skip locked) as next
       order by next.priority, next.turn, next.id
       limit places
    )
    update job set state = 'running', worker = claimer, attempts = attempts + 1
      from chosen where job.id = chosen.id
    returning job.*
  loop
    latest := greatest(latest, claimed.turn);
    return next claimed;
  end loop;
  if latest > (select last_value from job_turn) then
    perform setval('job_turn', latest);
  end if;
end
$$;`,
  },
  {
    name: 'jobs-0002-origin',
    sql: `
-- Of what enqueued a job, so that logs and traces go on; null where nothing is known.
alter table job add column request_id text, add column traceparent text;

create function enqueue_job(
  new_name text, new_key text, new_payload json, new_workspace uuid, new_priority int,
  new_run_at timestamptz, new_attempts_max int, new_request_id text, new_traceparent text
) returns void language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  insert into job (name, key, payload, workspace_id, priority, turn, state, run_at, attempts_max,
                   request_id, traceparent)
  values (new_name, new_key, new_payload, new_workspace, new_priority,
          greatest((select last_value from job_turn),
            (select max(turn) + 1 from job where workspace_id = new_workspace and state <> 'dead')),
          case when new_run_at > now() then 'delayed' else 'waiting' end,
          coalesce(new_run_at, now()), new_attempts_max, new_request_id, new_traceparent)
  on conflict (name, key) where key is not null and state <> 'dead' do update
     set payload = excluded.payload, priority = excluded.priority, run_at = excluded.run_at,
         attempts_max = excluded.attempts_max, request_id = excluded.request_id,
         traceparent = excluded.traceparent,
         state = case when job.state = 'running' then job.state else excluded.state end,
         attempts = case when job.state = 'running' then job.attempts else 0 end,
         again = job.state = 'running';
end
$$;

-- Processes of the version before call it so.
create or replace function enqueue_job(
  new_name text, new_key text, new_payload json, new_workspace uuid, new_priority int,
  new_run_at timestamptz, new_attempts_max int
) returns void language sql as $$
  select enqueue_job(new_name, new_key, new_payload, new_workspace, new_priority, new_run_at,
                     new_attempts_max, null, null)
$$;`,
  },
  {
    name: 'jobs-0003-complete',
    sql: `
-- The job is done: it goes, unless it was enqueued again while it ran. Then its row is that of the later call: whoever
-- did not get the answer and completes the first once more does not end the second. Answers whether it waits.
create function complete_job(completer uuid, completed_id bigint, completed_created_on timestamptz)
returns boolean language plpgsql
-- As enqueue_job: planned once, with the index.
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  delete from job
   where id = completed_id and worker = completer and created_on = completed_created_on and not again;
  if found then
    return false;
  end if;
  update job set state = 'waiting', attempts = 0, error = null, again = false, canceled = false,
                 worker = null, created_on = now()
   where id = completed_id and worker = completer and created_on = completed_created_on;
  return found;
end
$$;

create function complete_and_claim(
  claimer uuid, completed_id bigint, completed_created_on timestamptz, places int, job_names text[],
  job_limits int[]
) returns setof job language plpgsql as $$
declare
  durable text := current_setting('synchronous_commit');
begin
  -- Before the lock of all claims: a transaction that enqueues the job again makes no claim wait but this.
  perform complete_job(claimer, completed_id, completed_created_on);
  return query select * from claim_jobs(claimer, places, job_names, job_limits);
  -- A claim may be lost with the server, the end of a job may not.
  perform set_config('synchronous_commit', durable, true);
end
$$;`,
  },
]
