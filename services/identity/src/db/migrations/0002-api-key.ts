import type { Migration } from '@figbase/kit/db'

/** Secrets are looked up by their hash: with 256 random bits they need no salt. */
export const apiKey: Migration = {
  name: '0002-api-key',
  sql: `
    create table api_key (
      id uuid constraint api_key_pkey primary key,
      seq bigint generated always as identity,
      owner text not null constraint api_key_owner_fkey references account (username),
      name text not null,
      token_hash bytea not null constraint api_key_token_hash_key unique,
      workspace_id uuid,
      created_on timestamptz not null default now(),
      expires_on timestamptz,
      last_used_on timestamptz,
      constraint api_key_owner_name_key unique (owner, name)
    );
    create index api_key_owner_idx on api_key (owner, created_on, seq);
  `,
}
