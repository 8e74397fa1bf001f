import type { Migration } from '@figbase/kit/db'

export const compute: Migration = {
  name: '0018-compute',
  sql: `
-- How long compute instances may run in a month; null does not limit.
alter table plan add column monthly_compute_seconds bigint;

-- Whether this installation runs compute instances.
alter table site_rule add column runs_compute boolean not null default false;

-- Whether the plan of a workspace or an organization allows compute instances, and the installation runs them. A
-- function, so that a query that meets no workspace does not open the tables.
create function has_compute(holder uuid) returns boolean language plpgsql stable as $$
begin
  return (
    select r.runs_compute and p.compute_enabled
      from site_rule r
      left join subscription s on s.node_id = holder
      join plan p on p.id = coalesce(s.plan_id, (select d.id from plan d where d.is_default)));
end
$$;`,
}
