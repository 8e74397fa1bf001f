import type { IndexedDocument } from '@figbase/search/words'
import { parseQuery } from '@figbase/search/words'
import pg from 'pg'
import { Generated } from './generated.js'
import { openSearchDatabase, type SearchDatabase } from './search-database.js'

export type SearchWordsReport = {
  objects: number
  indexedPerSecond: number
  tableBytes: number
  indexBytes: number
  /** With highlights, as keyword searches have them. */
  all: Latency
  /** One of the words is enough, without highlights. */
  any: Latency
  /** All words, one of which has a typing error. */
  mistyped: Latency
  plain: Latency
  /** CPU time of a search of all words divided by that of a plain statement, of PostgreSQL and of both processes. */
  postgresRatio: number
  ratio: number
}

/** CPU time in milliseconds for each query. */
export type Latency = {
  p50Ms: number
  p95Ms: number
  maxMs: number
  postgresMs: number
  serverMs: number
}

/** The CPU time of PostgreSQL so far, in milliseconds. */
export type PostgresCpu = () => number

const sizes = { quick: { objects: 5000, queries: 200 }, full: { objects: 100_000, queries: 1000 } }
const batchMax = 500
const generation = 1
const found = 10

/** Measures searches of two or three words on an empty database. */
export async function measureSearchWords(
  quick: boolean,
  databaseUrl: string,
  postgresCpu: PostgresCpu,
): Promise<SearchWordsReport> {
  const { objects, queries: count } = quick ? sizes.quick : sizes.full
  const generated = new Generated(objects)
  await using search = await openSearchDatabase(databaseUrl)
  const seconds = await fill(search, generated.documents)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await fillPlain(client, generated.documents)
    await client.query('vacuum analyze')
    const filter = generated.filter()
    const queries = generated.queries(count)
    const find = (match: 'all' | 'any') => (text: string) =>
      search.engine.find(parseQuery(text, match), filter, {
        ...{ limit: found, offset: 0, withHighlights: match === 'all' },
      })
    const plainly = (text: string) => client.query({ ...plain, values: [text, filter.roots] })
    for (const run of [find('all'), find('any'), plainly])
      await measure(queries.slice(0, 50), run, postgresCpu)
    const all = await measure(queries, find('all'), postgresCpu)
    const any = await measure(queries, find('any'), postgresCpu)
    const wrong = queries.map((query) => generated.mistyped(query))
    const mistyped = await measure(wrong, find('all'), postgresCpu)
    const floor = await measure(queries, plainly, postgresCpu)
    return {
      ...{ objects, indexedPerSecond: objects / seconds, all, any, mistyped, plain: floor },
      postgresRatio: all.postgresMs / floor.postgresMs,
      ratio: (all.postgresMs + all.serverMs) / (floor.postgresMs + floor.serverMs),
      ...(await readSizes(client)),
    }
  } finally {
    await client.end()
  }
}

async function fill({ engine, write }: SearchDatabase, documents: IndexedDocument[]) {
  await engine.create(generation)
  const begun = performance.now()
  for (let at = 0; at < documents.length; at += batchMax) {
    await write(generation, documents.slice(at, at + batchMax))
  }
  const seconds = (performance.now() - begun) / 1000
  await engine.publish(generation)
  return seconds
}

/** The same texts as a table with weighted vectors of PostgreSQL's English words. */
async function fillPlain(client: pg.Client, documents: IndexedDocument[]) {
  await client.query(`
    create schema plain;
    create table plain.object (id uuid primary key, vector tsvector not null);
    create table plain.place (
      id uuid primary key, workspace_id uuid not null, created_on timestamptz not null)`)
  for (let at = 0; at < documents.length; at += batchMax) {
    const rows = documents
      .slice(at, at + batchMax)
      .map(({ fields, ...place }) => ({ ...place, ...fields }))
    await client.query(
      `with rows as materialized (
         select * from json_to_recordset($1::json) as n (
           id uuid, "workspaceId" uuid, "createdOn" timestamptz, name text, description text, metadata text, code text)
       ), placed as (
         insert into plain.place select id, "workspaceId", "createdOn" from rows
       )
       insert into plain.object
       select id, setweight(to_tsvector('english', name), 'A') || setweight(to_tsvector('english', description), 'B')
               || setweight(to_tsvector('english', metadata), 'C') || to_tsvector('english', code) from rows`,
      [JSON.stringify(rows)],
    )
  }
  await client.query('create index object_vector_idx on plain.object using gin (vector)')
}

const plain = {
  name: 'plain',
  text: `
    select o.id, ts_rank(o.vector, q) as rank
      from plain.object o join plain.place p using (id), websearch_to_tsquery('english', $1) q
     where o.vector @@ q and (p.workspace_id = any($2::uuid[]) or p.id = any($2::uuid[]))
     order by rank desc limit ${found}`,
}

async function measure(
  queries: string[],
  run: (text: string) => Promise<unknown>,
  postgresCpu: PostgresCpu,
) {
  const times: number[] = []
  const [postgresBefore, serverBefore] = [postgresCpu(), process.cpuUsage()]
  for (const query of queries) {
    const begun = performance.now()
    await run(query)
    times.push(performance.now() - begun)
  }
  const { user, system } = process.cpuUsage(serverBefore)
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor((times.length - 1) * part)] ?? 0
  return {
    ...{ p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) },
    postgresMs: (postgresCpu() - postgresBefore) / queries.length,
    serverMs: (user + system) / 1000 / queries.length,
  }
}

async function readSizes(client: pg.Client) {
  const { rows } = await client.query<{ table: string; index: string }>(`
    select sum(pg_table_size(oid)) as table, sum(pg_indexes_size(oid)) as index
      from pg_class where relkind = 'r' and relname in ('entry_${generation}', 'word_${generation}')`)
  return { tableBytes: Number(rows[0]?.table), indexBytes: Number(rows[0]?.index) }
}
