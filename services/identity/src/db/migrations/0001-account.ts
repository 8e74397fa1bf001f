/**
 * The unique index also serves prefix searches, hence its operator class. Collations are explicit: the default of the
 * database may know ASCII only (C), or lower-case I to a dotless i.
 */
export const account = {
  name: '0001-account',
  sql: `
    create table account (
      username text constraint account_pkey primary key,
      email text not null,
      first_name text not null,
      last_name text not null,
      password_hash text not null,
      date_joined timestamptz not null default now(),
      is_active boolean not null default true,
      is_staff boolean not null default false,
      email_confirmed boolean not null default false,
      using_auth0 boolean not null default false,
      avatar text,
      profile json not null default '{}',
      version int not null default 1,
      token_generation int not null default 1
    );
    create unique index account_username_lower_key
      on account (lower(username collate "C") text_pattern_ops);
    create index account_full_name_lower_idx
      on account (lower((first_name || ' ' || last_name) collate "und-x-icu") text_pattern_ops);
    create index account_last_name_lower_idx
      on account (lower(last_name collate "und-x-icu") text_pattern_ops);
    create index account_staff_idx on account (username) where is_staff;
  `,
}
