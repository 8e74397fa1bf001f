import type { Migration } from '@figbase/kit/db'

/**
 * Addresses are normalized for comparison only here: canonical composition, then lower case. Further folding would make
 * different mailboxes equal.
 */
export const accounts: Migration = {
  name: '0003-accounts',
  sql: `
    alter table account
      add column email_key text not null
        generated always as (lower(normalize(email, nfc) collate "und-x-icu")) stored,
      -- Of one who left; the row keeps the username, so that nobody else gets it.
      add column deleted_on timestamptz;
    -- An address belongs to one account that has confirmed it, and is claimed by any number.
    create unique index account_email_held_key on account (email_key) where email_confirmed;
    create index account_email_idx on account (email_key, date_joined);

    -- What a link in a mail is good for. A newer one takes the place of an older one.
    create table mail_token (
      token_hash bytea constraint mail_token_pkey primary key,
      username text not null constraint mail_token_username_fkey references account,
      purpose text not null
        constraint mail_token_purpose_check check (purpose in ('verify_email', 'reset_password')),
      email text not null,
      expires_on timestamptz not null,
      constraint mail_token_username_purpose_key unique (username, purpose)
    );
    create index mail_token_expiry_idx on mail_token (expires_on);
  `,
}
