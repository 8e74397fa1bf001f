export const notifications = {
  name: '0004-notifications',
  sql: `
-- Usernames are in lower case. A null choice is the default.
create table notification_settings (
  username text constraint notification_settings_pkey primary key,
  mention text,
  reply text,
  share text,
  failed_task text,
  stale_figure text,
  digest_hour smallint,
  digest_weekday smallint,
  time_zone text,
  -- The digest also has what happens there.
  digest_workspaces uuid[],
  -- The time of the last digest with that.
  digested_on timestamptz,
  updated_on timestamptz not null default now()
);

create table notification (
  id uuid constraint notification_pkey primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  username text not null,
  kind text not null,
  -- Who caused it; empty: nobody.
  actor text not null,
  -- A node, or a task.
  object_id uuid not null,
  comment_id uuid,
  created_on timestamptz not null default now(),
  -- Null until the choice of the person was applied.
  delivery text,
  mailed_on timestamptz
) with (autovacuum_vacuum_scale_factor = 0.05);
create index notification_new_idx on notification (username, seq) where delivery is null;
create index notification_digest_idx on notification (username, seq) where delivery = 'DIGEST' and mailed_on is null;
create index notification_mailed_idx on notification (username, mailed_on) where delivery = 'AT_ONCE';
create index notification_created_idx on notification (created_on);
`,
}
