import type { Migration } from '@figbase/kit/db'

/** Users of a provider have no password. `spent_token` has the tokens that ended before they expired. */
export const externalIdentity: Migration = {
  name: '0004-external-identity',
  sql: `
    alter table account alter column password_hash drop not null;
    create table external_identity (
      issuer text not null,
      subject text not null,
      username text not null constraint external_identity_username_fkey references account (username),
      linked_on timestamptz not null default now(),
      constraint external_identity_pkey primary key (issuer, subject)
    );
    create index external_identity_username_idx on external_identity (username);
    create table spent_token (
      id uuid constraint spent_token_pkey primary key,
      expires_on timestamptz not null
    );
    create index spent_token_expires_idx on spent_token (expires_on);
  `,
}
