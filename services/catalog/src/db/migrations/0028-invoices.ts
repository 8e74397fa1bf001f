import type { Migration } from '@figbase/kit/db'

export const invoices: Migration = {
  name: '0028-invoices',
  sql: `
-- The last number of each series.
create table billing_series (
  name text constraint billing_series_pkey primary key,
  last_number bigint not null
);

create table invoice (
  id uuid constraint invoice_pkey primary key,
  seq bigint generated always as identity,
  number text not null constraint invoice_number_key unique,
  holder_id uuid not null,
  holder_type text not null,
  period text not null,
  -- Not the beginning of the transaction: later numbers have later times.
  created_on timestamptz not null default clock_timestamp(),
  due_on timestamptz not null,
  currency text not null,
  -- As they were when it was issued: JSON.
  buyer text not null,
  seller_name text not null,
  seller_address text not null,
  subtotal_minor bigint not null,
  tax_minor bigint not null,
  total_minor bigint not null,
  constraint invoice_period_key unique (holder_id, period)
);
create index invoice_holder_idx on invoice (holder_id, created_on, seq);
create index invoice_created_idx on invoice (created_on, seq);

create table invoice_line (
  invoice_id uuid not null constraint invoice_line_invoice_fkey references invoice,
  position integer not null,
  kind text not null,
  name text not null,
  quantity text not null,
  unit_minor bigint not null,
  amount_minor bigint not null,
  from_on timestamptz,
  to_on timestamptz,
  constraint invoice_line_pkey primary key (invoice_id, position)
);

create table credit_note (
  id uuid constraint credit_note_pkey primary key,
  number text not null constraint credit_note_number_key unique,
  invoice_id uuid not null constraint credit_note_invoice_fkey references invoice,
  created_on timestamptz not null default clock_timestamp(),
  created_by text not null,
  reason text not null,
  net_minor bigint not null,
  tax_minor bigint not null
);
create index credit_note_invoice_idx on credit_note (invoice_id, created_on);

create table credit_note_tax (
  credit_note_id uuid not null constraint credit_note_tax_note_fkey references credit_note,
  position integer not null,
  name text not null,
  amount_minor bigint not null,
  constraint credit_note_tax_pkey primary key (credit_note_id, position)
);

-- An issued document never changes: its payment is in a table of its own.
create function refuse_change_of_issued() returns trigger language plpgsql as $$
begin
  raise exception 'an issued % cannot change', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger invoice_is_issued before update or delete on invoice
  for each row execute function refuse_change_of_issued();
create trigger invoice_line_is_issued before update or delete on invoice_line
  for each row execute function refuse_change_of_issued();
create trigger credit_note_is_issued before update or delete on credit_note
  for each row execute function refuse_change_of_issued();
create trigger credit_note_tax_is_issued before update or delete on credit_note_tax
  for each row execute function refuse_change_of_issued();

create table invoice_payment (
  invoice_id uuid constraint invoice_payment_pkey primary key,
  state text not null default 'open',
  paid_on timestamptz,
  -- Sums of the credit notes.
  credited_net_minor bigint not null default 0,
  credited_tax_minor bigint not null default 0,
  provider_invoice_id text,
  payment_url text not null default ''
);
create unique index invoice_payment_provider_key on invoice_payment (provider_invoice_id)
  where provider_invoice_id is not null;

-- The events of the provider that were received.
create table provider_event (
  id text constraint provider_event_pkey primary key,
  received_on timestamptz not null default now()
);
create index provider_event_received_idx on provider_event (received_on);
`,
}
