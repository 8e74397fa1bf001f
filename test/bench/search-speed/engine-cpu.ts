import { openData } from '@figbase/kit/service'
import {
  createEmbeddedEngine,
  type Database,
  type Filter,
  migrations,
  parseQuery,
} from '@figbase/search/words'
import pg from 'pg'
import type { ProcessTrees } from '../processes.js'
import { spreadOf, timesOf } from './requests.js'

/** CPU time in milliseconds for each query. */
export type EngineLatency = {
  p50Ms: number
  p95Ms: number
  maxMs: number
  postgresMs: number
  serverMs: number
}

export type EngineReport = {
  /** With highlights, as keyword searches have them. */
  all: EngineLatency
  plain: EngineLatency
  /** CPU time of a search of all words divided by that of a plain statement, of PostgreSQL and of both processes. */
  postgresRatio: number
  ratio: number
}

const found = 10
const warmUps = 50

/** Searches with the engine alone, in this process, and with a plain prepared statement on the same texts. */
export async function measureEngine(
  url: string,
  trees: ProcessTrees,
  caller: string,
  queries: string[],
): Promise<EngineReport> {
  const database = { url, isPooled: false, directUrl: url }
  await using data = await openData<Database>('search', migrations, database, { LOG_LEVEL: 'warn' })
  await using engine = createEmbeddedEngine(data.db)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const text of fillPlain) await client.query(text)
    const filter = await filterOf(client, caller)
    const page = { limit: found, offset: 0, withHighlights: true }
    const find = (text: string) => engine.find(parseQuery(text, 'all'), filter, page)
    const plainly = (text: string) => client.query({ ...plain, values: [text, filter.roots] })
    for (const run of [find, plainly]) await timesOf(queries.slice(0, warmUps), run)
    const all = await measure(queries, find, trees)
    const floor = await measure(queries, plainly, trees)
    return {
      ...{ all, plain: floor },
      postgresRatio: all.postgresMs / floor.postgresMs,
      ratio: (all.postgresMs + all.serverMs) / (floor.postgresMs + floor.serverMs),
    }
  } finally {
    await client.end()
  }
}

async function filterOf(client: pg.Client, caller: string): Promise<Filter> {
  const { rows } = await client.query<{ id: string }>(
    'select node_id as id from catalog.access_grant where subject = $1',
    [caller],
  )
  return { roots: rows.map(({ id }) => id), recent: [] }
}

async function measure(
  queries: string[],
  run: (text: string) => Promise<unknown>,
  trees: ProcessTrees,
): Promise<EngineLatency> {
  const [postgresBefore, serverBefore] = [trees.cpu().postgresMs, process.cpuUsage()]
  const times = await timesOf(queries, run)
  const { user, system } = process.cpuUsage(serverBefore)
  return {
    ...spreadOf(times),
    postgresMs: (trees.cpu().postgresMs - postgresBefore) / queries.length,
    serverMs: (user + system) / 1000 / queries.length,
  }
}

/** The same texts as a table with weighted vectors of PostgreSQL's English words. */
const fillPlain = `
  create schema plain;
  create table plain.object as
    select n.id, setweight(to_tsvector('english', coalesce(n.name, '')), 'A')
              || setweight(to_tsvector('english', coalesce(n.description, '')), 'B')
              || setweight(to_tsvector('english', coalesce(r.metadata ->> 'notes', '')), 'C')
              || to_tsvector('english', coalesce(
                   (select string_agg(t.text, ' ') from revisions.extracted_text t where t.revision_id = n.id), '')) as vector
      from catalog.node n
      left join revisions.revision r using (id);
  create table plain.place as
    select id, workspace_id, analysis_id, item_id from search.place;
  alter table plain.object add primary key (id);
  alter table plain.place add primary key (id);
  create index object_vector_idx on plain.object using gin (vector);
  vacuum analyze plain.object;
  vacuum analyze plain.place`.split(';')

const plain = {
  name: 'plain',
  text: `
    select o.id, ts_rank(o.vector, q) as rank
      from plain.object o join plain.place p using (id), websearch_to_tsquery('english', $1) q
     where o.vector @@ q
       and (p.workspace_id = any($2::uuid[]) or p.analysis_id = any($2::uuid[])
            or p.item_id = any($2::uuid[]) or p.id = any($2::uuid[]))
     order by rank desc limit ${found}`,
}
