import type { Migration } from '@figbase/kit/db'

export const sshKey: Migration = {
  name: '0005-ssh-key',
  sql: `
    create table ssh_key (
      id uuid constraint ssh_key_pkey primary key,
      seq bigint generated always as identity,
      owner text not null constraint ssh_key_owner_fkey references account (username),
      name text not null,
      -- As ssh-keygen shows it: SHA256:…
      fingerprint text not null,
      public_key text not null,
      -- In the OpenSSH format, encrypted by a key of the installation.
      private_key_sealed bytea not null,
      is_default boolean not null,
      created_on timestamptz not null default now(),
      constraint ssh_key_owner_name_key unique (owner, name),
      constraint ssh_key_owner_fingerprint_key unique (owner, fingerprint)
    );
    create index ssh_key_owner_idx on ssh_key (owner, created_on, seq);
    create unique index ssh_key_owner_default_key on ssh_key (owner) where is_default;
  `,
}
