import type { Migration } from '../db/migrate.js'

// Queue rows are short-lived: without frequent vacuum, each read of the head scans dead rows.
const queue = `with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_cost_delay = 0)`

/** The event tables in the schema of each service that publishes or consumes. */
export const eventMigrations: Migration[] = [
  {
    name: 'kit-0001-events',
    sql: `
      -- Published, not yet on the bus. The relay moves them to outbox_sent.
      create table outbox (
        seq bigint generated always as identity constraint outbox_pkey primary key,
        published_on timestamptz not null default now(),
        message json not null
      ) ${queue};
      -- What was handed to the bus, for a bus that loses it.
      create table outbox_sent (
        seq bigint not null,
        day date not null default current_date,
        published_on timestamptz not null,
        message json not null,
        constraint outbox_sent_pkey primary key (seq, day)
      ) partition by range (day);
      -- The bus as the relay last saw it.
      create table relay_state (
        is_only boolean constraint relay_state_pkey primary key default true
          constraint relay_state_only check (is_only),
        epoch text not null default '',
        position bigint not null default 0
      );
      insert into relay_state default values;
      -- Events that a consumer has taken in: handled, or parked.
      create table inbox (
        day date not null,
        event_id uuid not null,
        consumer text not null,
        constraint inbox_pkey primary key (event_id, consumer, day)
      ) partition by range (day);
      create table inbox_default partition of inbox default;
      -- Events that failed and wait for their next attempt (run_at), and those behind them.
      create table parked (
        id bigint generated always as identity constraint parked_pkey primary key,
        consumer text not null,
        key text not null,
        message json not null,
        attempts int not null default 0,
        run_at timestamptz,
        error text not null default '',
        parked_on timestamptz not null default now()
      ) ${queue};
      create index parked_key_idx on parked (consumer, key, id);
      create index parked_run_idx on parked (run_at) where run_at is not null;
      -- Events that failed as often as is allowed; an operator reads and replays them.
      create table dead_letter (
        event_id uuid not null,
        consumer text not null,
        message json not null,
        attempts int not null,
        error text not null,
        parked_on timestamptz not null,
        died_on timestamptz not null default now(),
        constraint dead_letter_pkey primary key (event_id, consumer)
      );
      create index dead_letter_died_idx on dead_letter (died_on);`,
  },
]
