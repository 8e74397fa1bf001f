import pg from 'pg'
import { urlOf } from '../database.js'
import type { Product } from '../product.js'

/** A filled workspace, with the ids of some objects in it. */
export type Filled = {
  workspace: string
  analysis: string
  figure: string
  nodes: number
  /** The hash of the data of an asset revision. */
  digest: string
}

const figuresOfAnalysis = 100
const entriesOfNode = 5

/**
 * Writes a tree into the database as if it had been published over the last month: analyses with 100 figures each, as
 * many revisions as needed, five log entries per node, and the same number of asset revisions of other users.
 */
export async function fill(
  product: Product,
  workspace: string,
  nodes: number,
): Promise<Omit<Filled, 'digest'>> {
  const client = new pg.Client({ connectionString: urlOf(product, 'figbase') })
  await client.connect()
  try {
    await client.query('set search_path to catalog; set synchronous_commit to off')
    const { rows: owners } = await client.query<{ created_by: string }>(
      'select created_by from node where id = $1',
      [workspace],
    )
    const owner = owners[0]?.created_by ?? ''
    const analyses = Math.max(1, Math.round(Math.sqrt(nodes / figuresOfAnalysis)))
    const revisionsEach = Math.round(nodes / (analyses * figuresOfAnalysis)) - 1
    await withoutIndexes(client, 'node', () =>
      client.query(tree(revisionsEach), [workspace, owner, analyses, figuresOfAnalysis]),
    )
    await client.query('analyze node')
    await client.query(sums, [workspace])
    await withoutIndexes(client, 'activity', () => client.query(log, [workspace, entriesOfNode]))
    await client.query('vacuum analyze node, node_stat, activity')
    await client.query(hashes, [nodes])
    await client.query('vacuum analyze revisions.revision')
    const { rows } = await client.query<Omit<Filled, 'digest'>>(midst, [workspace])
    if (!rows[0]) throw new Error('no rows were written')
    return { ...rows[0], workspace }
  } finally {
    await client.end()
  }
}

/** Recreates indexes after the inserts, which is much faster than updating them for each row. */
async function withoutIndexes(client: pg.Client, table: string, work: () => Promise<unknown>) {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i where i.indrelid = $1::regclass and not i.indisprimary`,
    [table],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await client.query("set maintenance_work_mem to '256MB'")
  await work()
  for (const { definition } of rows) await client.query(definition.replace(' ON ONLY ', ' ON '))
}

// Creation times: the smaller the number, the older.
const at = (n: string) => `now() - interval '30 days' * random() - interval '1 s' * (${n} % 7)`

const tree = (revisionsEach: number) => `
  with analysis as materialized (
    select gen_random_uuid() as id, n from generate_series(1, $3::int) n
  ), figure as materialized (
    select gen_random_uuid() as id, a.id as analysis_id, f.n
      from analysis a, generate_series(1, $4::int) f (n)
  ), revision as materialized (
    select gen_random_uuid() as id, f.id as figure_id, f.analysis_id, r.n
      from figure f, generate_series(1, ${revisionsEach}) r (n)
  )
  insert into node (id, type, parent_id, lineage, workspace_id, state, name, created_by, created_on,
                    size_bytes)
  select a.id, 'analysis', $1::uuid, array[$1::uuid, a.id], $1::uuid, 'active', 'Analysis ' || a.n,
         $2, ${at('a.n')}, 0
    from analysis a
  union all
  select f.id, 'figure', f.analysis_id, array[$1::uuid, f.analysis_id, f.id], $1::uuid, 'active',
         'Figure ' || f.n, $2, ${at('f.n')}, 0
    from figure f
  union all
  select r.id, 'figure_revision', r.figure_id, array[$1::uuid, r.analysis_id, r.figure_id, r.id],
         $1::uuid, 'active', null, $2, ${at('r.n')}, 1000
    from revision r`

const hashes = `
  insert into revisions.revision (id, type, parent_id, revision_index, metadata, is_clean_room,
                                  is_processing, data_hash, created_by, created_on)
  select gen_random_uuid(), 'asset_revision', gen_random_uuid(), 0, '{}', false, false,
         md5('a' || n) || md5('b' || n), 'somebody', now()
    from generate_series(1, $1::int) n`

const sums = `
  insert into node_stat (node_id, size_bytes, children, child_updated_on, child_updated_by,
                         workspace_id, type)
  select x.id, sum(o.size_bytes), count(*), max(o.created_on), max(o.created_by), $1::uuid, max(n.type)
    from node o, unnest(o.lineage[:cardinality(o.lineage) - 1]) as x (id) join node n on n.id = x.id
   where o.workspace_id = $1 and o.type = 'figure_revision'
   group by x.id
  on conflict (node_id) do update
     set size_bytes = excluded.size_bytes, child_updated_on = excluded.child_updated_on,
         child_updated_by = excluded.child_updated_by, workspace_id = excluded.workspace_id,
         type = excluded.type`

const log = `
  insert into activity (id, at, action, actor, request_id, is_silent, workspace_id, analysis_id,
                        figure_id, target_id, target_type, target_name, path)
  select gen_random_uuid(), n.created_on + interval '1 s' * e, case e when 1 then 'create' else 'update' end,
         n.created_by, '', false, n.workspace_id, n.lineage[2], n.lineage[3], n.id, n.type, n.name,
         n.lineage
    from node n, generate_series(1, $2::int) e
   where n.workspace_id = $1 and n.type <> 'workspace'`

const midst = `
  select f.id as figure, f.parent_id as analysis,
         (select count(*)::int from node where workspace_id = $1) as nodes
    from node f where f.workspace_id = $1 and f.type = 'figure'
   order by f.created_on offset 50 limit 1`
