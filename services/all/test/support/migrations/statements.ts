import type pg from 'pg'

// PREPARE checks tables, columns and types; only planning checks the index of `on conflict`.
const failure = `
  create or replace function pg_temp.failure(statement text) returns text language plpgsql as $$
  declare
    parameters int;
    problem text;
  begin
    execute 'prepare examined as ' || statement;
    begin
      select cardinality(parameter_types) into parameters from pg_prepared_statements
       where name = 'examined';
      execute 'explain execute examined' || case when parameters > 0
        then '(' || array_to_string(array_fill('null'::text, array[parameters]), ', ') || ')'
        else '' end;
    exception when others then
      problem := sqlerrm;
    end;
    execute 'deallocate examined';
    return problem;
  exception when others then
    return sqlerrm;
  end $$`

/** The statements that PostgreSQL rejects on the current schema, with the reason; nothing is executed. */
export async function refusedOf(
  client: pg.Client,
  schema: string,
  statements: string[],
): Promise<{ sql: string; why: string }[]> {
  await client.query(`set plan_cache_mode = force_generic_plan; ${failure}`)
  await client.query(`set search_path = ${schema ? `"${schema}"` : "''"}`)
  const { rows } = await client.query<{ sql: string; why: string }>(
    `select sql, why from unnest($1::text[]) sql, pg_temp.failure(sql) why where why is not null`,
    [statements],
  )
  return rows
}
