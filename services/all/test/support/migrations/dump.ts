import type pg from 'pg'

/** Rows, partitions and sequences of a database, not ordered by foreign keys. */
export type Dump = { partitions: string[]; tables: DumpedTable[]; sequences: DumpedSequence[] }
/** Rows in PostgreSQL's text form, which is exact for every type; `name` includes the schema. */
export type DumpedTable = { name: string; rows: string[] }
export type DumpedSequence = { name: string; value: string }

// These settings determine the text form.
const exact = `set search_path = ''; set timezone = 'UTC'; set datestyle = 'ISO'; set bytea_output = 'hex';
  set intervalstyle = 'postgres'; set extra_float_digits = 1`

/** All rows of these schemas in the snapshot of the transaction. */
export async function dumpRows(client: pg.Client, schemas: string[]): Promise<Dump> {
  await client.query(exact)
  const tables: DumpedTable[] = []
  for (const name of await tablesOf(client, schemas)) {
    const { rows } = await client.query<{ row: string }>(
      `select t::text as row from ${name} t order by 1`,
    )
    tables.push({ name, rows: rows.map(({ row }) => row) })
  }
  return {
    partitions: await partitionsOf(client, schemas),
    tables,
    sequences: await sequencesOf(client, schemas),
  }
}

/** Replaces the rows of a database with the same tables. */
export async function restoreRows(client: pg.Client, dump: Dump): Promise<void> {
  await client.query(exact)
  await client.query('begin')
  for (const partition of dump.partitions) await client.query(partition)
  // Disables triggers and foreign keys: the dump already contains their effects and is consistent.
  await client.query('set local session_replication_role = replica')
  await client.query(`truncate ${dump.tables.map(({ name }) => name).join(', ')}`)
  for (const { name, rows } of dump.tables) {
    const columns = await columnsOf(client, name)
    await client.query(
      `insert into ${name} (${columns.join(', ')}) overriding system value
       select ${columns.map((column) => `(row::${name}).${column}`).join(', ')} from unnest($1::text[]) row`,
      [rows],
    )
  }
  for (const { name, value } of dump.sequences) {
    await client.query('select setval($1, $2)', [name, value])
  }
  await client.query('commit')
}

/** All tables; a partitioned table represents its partitions. */
export async function tablesOf(client: pg.Client, schemas: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
      order by 1`,
    [schemas],
  )
  return rows.map(({ name }) => name)
}

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I', attname) as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      order by attnum`,
    [table],
  )
  return rows.map(({ name }) => name)
}

/** SQL that creates the existing partitions. */
async function partitionsOf(client: pg.Client, schemas: string[]): Promise<string[]> {
  const { rows } = await client.query<{ sql: string }>(
    `select format('create table if not exists %I.%I partition of %s %s', n.nspname, c.relname,
                   i.inhparent::regclass, pg_get_expr(c.relpartbound, c.oid)) as sql
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_inherits i on i.inhrelid = c.oid
      where n.nspname = any($1) and c.relkind = 'r' and c.relispartition
      order by 1`,
    [schemas],
  )
  return rows.map(({ sql }) => sql)
}

async function sequencesOf(client: pg.Client, schemas: string[]): Promise<DumpedSequence[]> {
  const { rows } = await client.query<DumpedSequence>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value
       from pg_sequences where schemaname = any($1) and last_value is not null order by 1`,
    [schemas],
  )
  return rows
}
