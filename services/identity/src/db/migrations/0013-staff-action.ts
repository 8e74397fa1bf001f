import type { Migration } from '@figbase/kit/db'

/** What staff did; `kind` is the number of a StaffActionKind. And the backups that the command made. */
export const staffAction: Migration = {
  name: '0013-staff-action',
  sql: `
create table staff_action (
  seq bigint generated always as identity constraint staff_action_pkey primary key,
  created_on timestamptz not null default now(),
  created_by text not null,
  kind smallint not null,
  target text not null
);
create index staff_action_created_idx on staff_action (created_on, seq);
create table backup (
  created_on timestamptz constraint backup_pkey primary key,
  path text not null,
  bytes bigint not null
);`,
}
