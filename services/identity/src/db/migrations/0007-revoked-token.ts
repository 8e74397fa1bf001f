import type { Migration } from '@figbase/kit'

/** By their ids (`jti`), until they would have expired anyway. */
export const revokedToken: Migration = {
  name: '0007-revoked-token',
  sql: `
    create table revoked_token (
      id uuid constraint revoked_token_pkey primary key,
      expires_on timestamptz not null
    );
    create index revoked_token_expires_on_idx on revoked_token (expires_on);
  `,
}
