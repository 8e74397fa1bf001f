import type { Migration } from '@figbase/kit/db'

/**
 * The settings are one row. Metadata proxies are looked up by the hash of their token: 256 random bits need no salt.
 */
export const site: Migration = {
  name: '0006-site',
  sql: `
    create table site_settings (
      id boolean constraint site_settings_pkey primary key default true
        constraint site_settings_single check (id),
      version int not null default 1,
      site_name text not null default 'Figbase',
      announcement text not null default '',
      -- Null: as the configuration says.
      sign_up_enabled boolean,
      link_sharing_enabled boolean not null default true,
      ai_enabled boolean not null default false,
      ai_model text not null default '',
      updated_by text,
      updated_on timestamptz
    );
    insert into site_settings default values;
    create table metadata_proxy (
      id uuid constraint metadata_proxy_pkey primary key,
      initiator text not null constraint metadata_proxy_initiator_fkey references account (username),
      token_hash bytea not null constraint metadata_proxy_token_hash_key unique,
      created_on timestamptz not null default now(),
      expires_on timestamptz not null,
      updated_on timestamptz,
      metadata json
    );
    create index metadata_proxy_initiator_idx on metadata_proxy (initiator, expires_on);
    create index metadata_proxy_expiry_idx on metadata_proxy (expires_on);
  `,
}
