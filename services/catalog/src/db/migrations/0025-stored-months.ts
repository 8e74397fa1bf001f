import type { Migration } from '@figbase/kit/db'

export const storedMonths: Migration = {
  name: '0025-stored-months',
  sql: `
-- The most that a workspace stored in a month (UTC).
create table stored_month (
  workspace_id uuid not null,
  -- YYYY-MM
  period text not null,
  bytes bigint not null,
  constraint stored_month_pkey primary key (workspace_id, period)
);
`,
}
