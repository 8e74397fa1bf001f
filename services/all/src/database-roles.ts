import { servicePrograms } from './programs.js'

export type DatabaseRolesCommand = { name: 'database-roles' }

/** Prints SQL; whoever may make roles in the database runs it there, once and after each update. */
export function runDatabaseRoles(): void {
  console.log(databaseRoles(servicePrograms.map(({ name }) => name)))
}

/**
 * SQL that makes a role a service, `figbase_<service>`, which owns the schema of the service and is a member
 * of figbase_bus, which owns that of the bus. What is there already becomes theirs.
 */
export function databaseRoles(services: string[]): string {
  const names = services.map((name) => `'${name}'`).join(', ')
  const passwords = services.map((name) => `--   \\password figbase_${name}`)
  return `-- A role for each service of Figbase, for the database that this runs in:
--   psql --single-transaction -v ON_ERROR_STOP=1 -f this-file <the database>
-- It may be run again at any time. Passwords are yours to give, in psql:
${passwords.join('\n')}
do $$
declare
  service text;
  owner text;
  thing text;
begin
  foreach service in array array['bus', ${names}] loop
    owner := 'figbase_' || service;
    if to_regrole(owner) is null then
      execute format('create role %I', owner);
    end if;
    if current_setting('is_superuser') = 'off' then
      execute format('grant %I to %I', owner, current_user);
    end if;
    if to_regnamespace(service) is null then
      execute format('create schema %I authorization %I', service, owner);
    else
      execute format('alter schema %I owner to %I', service, owner);
    end if;

    -- What one role made for all of them; what belongs to a column follows its table.
    for thing in
      select c.oid::regclass from pg_class c
       where c.relnamespace = service::regnamespace and c.relowner <> owner::regrole
         and (c.relkind in ('r', 'p') or c.relkind = 'S' and not exists (
               select from pg_depend d where d.classid = 'pg_class'::regclass
                  and d.objid = c.oid and d.deptype in ('a', 'i')))
    loop
      execute format('alter table %s owner to %I', thing, owner);
    end loop;
    for thing in
      select p.oid::regprocedure from pg_proc p
       where p.pronamespace = service::regnamespace and p.proowner <> owner::regrole
    loop
      execute format('alter routine %s owner to %I', thing, owner);
    end loop;

    continue when service = 'bus';
    execute format('alter role %I login', owner);
    execute format('grant figbase_bus to %I', owner);
    execute format('grant connect, temporary on database %I to %I', current_database(), owner);
    -- Behind a pooler a connection cannot say this for itself.
    execute format('alter role %I in database %I set search_path = %I', owner, current_database(), service);
    execute format('alter role %I in database %I set timezone = ''UTC''', owner, current_database());
    execute format('alter role %I in database %I set jit = off', owner, current_database());
  end loop;
end
$$;`
}
