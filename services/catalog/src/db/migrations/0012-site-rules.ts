import type { Migration } from '@figbase/kit/db'

export const siteRules: Migration = {
  name: '0012-site-rules',
  sql: `
-- What the settings of the site say about permissions: one row.
create table site_rule (
  id boolean constraint site_rule_pkey primary key default true
    constraint site_rule_single check (id),
  -- Of the settings.
  version integer not null,
  links_allowed boolean not null
);
insert into site_rule (version, links_allowed) values (0, true);

-- A function, so that a query that meets no link does not even open the table.
create function links_allowed() returns boolean language plpgsql stable as $$
begin
  return (select r.links_allowed from site_rule r);
end
$$;
`,
}
