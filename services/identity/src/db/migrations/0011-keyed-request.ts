import type { Migration } from '@figbase/kit/db'

/** Requests with an `Idempotency-Key`; `api_key_id` is empty without an API key, `status` null before the answer. */
export const keyedRequest: Migration = {
  name: '0011-keyed-request',
  sql: `
create table keyed_request (
  owner text not null,
  api_key_id text not null,
  key text not null,
  id uuid not null constraint keyed_request_id_key unique,
  fingerprint bytea,
  status smallint,
  headers text,
  body text,
  begun_on timestamptz not null default now(),
  constraint keyed_request_pkey primary key (owner, api_key_id, key)
);
create index keyed_request_begun_idx on keyed_request (begun_on);`,
}
