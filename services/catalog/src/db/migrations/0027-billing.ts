import type { Migration } from '@figbase/kit/db'

/** Who pays, and what changed. Invoices: 0028. */
export const billing: Migration = {
  name: '0027-billing',
  sql: `
-- Whoever pays for a plan: an organization, or a workspace outside of any. The rows outlive their nodes.
create table billing_account (
  holder_id uuid constraint billing_account_pkey primary key,
  holder_type text not null,
  name text not null default '',
  address text not null default '',
  country text not null default '',
  tax_id text not null default '',
  email text not null default '',
  pays_by text not null default 'month',
  -- The month that is invoiced next, YYYY-MM (UTC); null: none, because the holder was deleted or joined an organization.
  next_period text,
  provider_customer_id text,
  has_payment_method boolean not null default false,
  created_on timestamptz not null default now()
);
create index billing_account_next_idx on billing_account (next_period, holder_id) where next_period is not null;
create unique index billing_account_customer_key on billing_account (provider_customer_id)
  where provider_customer_id is not null;

-- What a holder has from this time on, with the prices of that time. Null limits do not limit.
create table billing_change (
  holder_id uuid not null,
  changed_on timestamptz not null,
  -- Null: nothing is paid from now on.
  plan_id uuid,
  plan_name text not null,
  monthly_minor bigint not null,
  annual_minor bigint not null,
  pays_by text not null,
  seats integer not null,
  max_storage_bytes bigint,
  monthly_compute_seconds bigint,
  monthly_token_quota bigint,
  compute_overages_enabled boolean not null,
  constraint billing_change_pkey primary key (holder_id, changed_on)
);
`,
}
