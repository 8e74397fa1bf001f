import { servicePrograms } from './programs.js'

/** Prints SQL, to be run by a user who may create roles, once and after each update. */
export function runDatabaseRoles(): void {
  console.log(databaseRoles(servicePrograms.map(({ name }) => name)))
}

/**
 * SQL that creates a role `figbase_<service>` per service, which owns the schema of the service and is a member of
 * figbase_bus, the owner of the bus schema. Ownership of existing objects is transferred.
 */
export function databaseRoles(services: string[]): string {
  const names = services.map((name) => `'${name}'`).join(', ')
  const passwords = services.map((name) => `--   \\password figbase_${name}`)
  return `-- Creates a role for each service of Figbase in the current database:
--   psql --single-transaction -v ON_ERROR_STOP=1 -f this-file <the database>
-- Idempotent. Set the passwords in psql:
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

    -- Transfer existing objects; objects that belong to a column follow their table.
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
    -- Connections through a pooler cannot set these themselves.
    execute format('alter role %I in database %I set search_path = %I', owner, current_database(), service);
    execute format('alter role %I in database %I set timezone = ''UTC''', owner, current_database());
    execute format('alter role %I in database %I set jit = off', owner, current_database());
  end loop;
end
$$;`
}
