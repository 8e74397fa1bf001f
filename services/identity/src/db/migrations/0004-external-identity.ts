import type { Migration } from '@figbase/kit'

/** Who signs in with a provider, as that names them, for ever. */
export const externalIdentity: Migration = {
  name: '0004-external-identity',
  sql: `
    create table external_identity (
      issuer text not null,
      subject text not null,
      username text not null constraint external_identity_username_fkey references account (username),
      linked_on timestamptz not null default now(),
      constraint external_identity_pkey primary key (issuer, subject)
    );
    create index external_identity_username_idx on external_identity (username);
  `,
}
