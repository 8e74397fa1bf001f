import type { Migration } from '@figbase/kit/db'

export const idle: Migration = {
  name: '0002-idle',
  sql: `
alter table instance
  -- What the plan said of idle instances when it was read last; it wins over the settings of the instance.
  add column plan_requires_idle_shutdown boolean not null default false,
  add column plan_idle_seconds_max int,
  -- Since when the current run has been measured without a gap.
  add column measured_since timestamptz,
  -- When it was announced that it is stopped because it is idle, and for when; null: it was not.
  add column idle_warned_on timestamptz,
  add column idle_stops_on timestamptz;
`,
}
