import type { Migration } from '../../db/migrate.js'

/** The schema of the bus, shared by all services of a database. */
export const busSchema = 'bus'

export const busMigrations: Migration[] = [
  {
    name: '0001-bus',
    sql: `
      -- The epoch changes with each new subscription: the relays then send again what is kept.
      create table state (
        is_only boolean constraint state_pkey primary key default true
          constraint state_only check (is_only),
        epoch uuid not null default gen_random_uuid()
      );
      insert into state default values;
      create table subscription (
        event text not null,
        consumer text not null,
        seen_on timestamptz not null default now(),
        constraint subscription_pkey primary key (event, consumer)
      );
      create table delivery (
        consumer text not null,
        shard smallint not null,
        id bigint generated always as identity,
        message json not null,
        constraint delivery_pkey primary key (consumer, shard, id)
      ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
              autovacuum_vacuum_cost_delay = 0);`,
  },
]
