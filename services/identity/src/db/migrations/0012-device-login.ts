import type { Migration } from '@figbase/kit/db'

/** Logins of programs without a browser. The codes are stored as SHA-256; `is_allowed` is null before the decision. */
export const deviceLogin: Migration = {
  name: '0012-device-login',
  sql: `
create table device_login (
  device_code_hash bytea constraint device_login_pkey primary key,
  user_code_hash bytea not null constraint device_login_user_code_hash_key unique,
  name text not null,
  access text not null constraint device_login_access_check check (access in ('read', 'publish', 'full')),
  user_agent text not null,
  address text not null,
  created_on timestamptz not null default now(),
  expires_on timestamptz not null,
  polled_on timestamptz,
  is_allowed boolean,
  -- Who allowed it. With another token generation of the account, it has ended.
  username text,
  token_generation int
);
create index device_login_expiry_idx on device_login (expires_on);`,
}
