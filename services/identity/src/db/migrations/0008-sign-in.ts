import type { Migration } from '@figbase/kit/db'

/** One row per refresh token and browser session, by the id in the token. */
export const signIn: Migration = {
  name: '0008-sign-in',
  sql: `
    alter table account add column last_sign_in timestamptz;
    create table sign_in (
      id uuid constraint sign_in_pkey primary key,
      username text not null constraint sign_in_username_fkey references account (username),
      kind text not null constraint sign_in_kind_check check (kind in ('token', 'browser')),
      -- Of the account when it was begun: with another one it has ended.
      token_generation int not null,
      user_agent text not null,
      address text not null,
      created_on timestamptz not null default now(),
      last_used_on timestamptz not null default now(),
      expires_on timestamptz not null
    );
    create index sign_in_username_idx on sign_in (username, created_on, id);
    create index sign_in_expires_idx on sign_in (expires_on);
  `,
}
