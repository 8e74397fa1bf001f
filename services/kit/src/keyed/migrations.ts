import type { Migration } from '../db/migrate.js'

/** Responses of RPCs to keyed requests, in the schema of the service that had the effect. */
export const keyedResultMigrations: Migration[] = [
  {
    name: 'keyed-0001-result',
    sql: `
create table keyed_result (
  request_id uuid not null,
  rpc text not null,
  response bytea not null,
  recorded_on timestamptz not null default now(),
  constraint keyed_result_pkey primary key (request_id, rpc)
);
create index keyed_result_recorded_idx on keyed_result (recorded_on);`,
  },
]
