import type pg from 'pg'

/** A schema object that statements may depend on: its name, its definition, and its table, if it belongs to one. */
export type Fact = {
  name: string
  is: string
  table: string | null
  /** Columns of a constraint or unique index; `null` for an expression. */
  columns: (string | null)[] | null
  isUnique: boolean
  /** Whether a column requires a value, and whether it has a default. */
  column: { isRequired: boolean; hasDefault: boolean } | null
}

export type Facts = Map<string, Fact>

const relations = `
  select case c.relkind when 'S' then 'sequence ' when 'v' then 'view ' else 'table ' end
           || c.oid::regclass as name,
         '' as is, null as table, null::text[] as columns, false as "isUnique",
         null::json as column
    from pg_class c where c.relnamespace = any($1) and c.relkind in ('r', 'p', 'S', 'v')
     and not c.relispartition`

const columns = `
  select format('column %s.%I', c.oid::regclass, a.attname),
         concat_ws(' ', format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
                   'default ' || pg_get_expr(d.adbin, d.adrelid),
                   'identity ' || nullif(a.attidentity::text, ''),
                   'generated ' || nullif(a.attgenerated::text, '')),
         c.oid::regclass::text, null::text[], false,
         json_build_object('isRequired', a.attnotnull,
           'hasDefault', a.atthasdef or a.attidentity <> '' or a.attgenerated <> '')
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where c.relnamespace = any($1) and c.relkind in ('r', 'p', 'v') and not c.relispartition
     and a.attnum > 0 and not a.attisdropped`

// Since PostgreSQL 18, a not-null column also has a constraint.
const constraints = `
  select format('constraint %I of %s', o.conname, c.oid::regclass),
         pg_get_constraintdef(o.oid), c.oid::regclass::text,
         coalesce((select array_agg(a.attname::text) from pg_attribute a
                    where a.attrelid = c.oid and a.attnum = any(o.conkey)), '{null}'),
         o.contype not in ('c', 'f'), null::json
    from pg_constraint o join pg_class c on c.oid = o.conrelid
   where c.relnamespace = any($1) and not c.relispartition and o.contype <> 'n'`

const indexes = `
  select 'index ' || c.oid::regclass, pg_get_indexdef(c.oid), i.indrelid::regclass::text,
         case when i.indisunique then
           (select array_agg(a.attname::text) from unnest(i.indkey::int2[]) key
              left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = key and key <> 0) end,
         i.indisunique, null::json
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
   where c.relnamespace = any($1) and not t.relispartition`

const functions = `
  select 'function ' || p.oid::regprocedure, pg_get_function_result(p.oid), null, null::text[], false, null::json
    from pg_proc p where p.pronamespace = any($1)`

/** The objects of the schemas, except partitions, which the services create and drop themselves. */
export async function factsOf(client: pg.Client, schemas: string[]): Promise<Facts> {
  // Names then include the schema.
  await client.query(`set search_path = ''`)
  const { rows: found } = await client.query<{ oids: string[] }>(
    `select array_agg(oid::text) as oids from pg_namespace where nspname = any($1)`,
    [schemas],
  )
  const { rows } = await client.query<Fact>(
    [relations, columns, constraints, indexes, functions].join(' union all '),
    [found[0]?.oids ?? []],
  )
  return new Map(rows.map((fact) => [fact.name, fact]))
}

/** Removed, changed or newly restricting objects, which may break processes of the previous version. */
export function breaksOf(before: Facts, after: Facts): string[] {
  const changed = [...before.values()].flatMap(({ name, is }) => {
    const now = after.get(name)
    if (!now) return [`${name} was removed`]
    return now.is === is ? [] : [`${name} changed: ${now.is || 'nothing'}, was ${is}`]
  })
  const added = [...after.values()].filter(({ name }) => !before.has(name))
  const restricting = added.filter((fact) => restricts(fact, before, after))
  return [
    ...changed,
    ...restricting.map(({ name, is }) => `${name} rejects rows of the previous version: ${is}`),
  ]
}

/** Whether a new object on an existing table restricts writes of the previous version. */
function restricts(fact: Fact, before: Facts, after: Facts): boolean {
  const { table, columns, isUnique, column } = fact
  if (table === null || !before.has(`table ${table}`)) return false
  if (column) return column.isRequired && !column.hasDefault
  // A constraint on new columns only holds for their defaults, unless it is unique and the default is not null.
  return (columns ?? []).some((name) => {
    const about = `column ${table}.${name}`
    return before.has(about) || name === null || (isUnique && after.get(about)?.column?.hasDefault)
  })
}
