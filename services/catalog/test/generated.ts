import type { Bench } from './bench.js'

/** A tree made by SQL alone: the bulk of it in one workspace, the rest in an organization's fifty. */
export type Generated = { organization: string; bulk: string; nodes: number }

const smallWorkspaces = 50
const figuresOfAnalysis = 10
const revisionsOfFigure = 9
const nodesOfAnalysis = 1 + figuresOfAnalysis * (1 + revisionsOfFigure)

/** About `nodes` of them. `ada` owns all, `bob` is in the organization, `eve` has ten figures shared. */
export async function generate({ query }: Pick<Bench, 'query'>, nodes: number): Promise<Generated> {
  const bulkAnalyses = Math.ceil((nodes * 0.9) / nodesOfAnalysis)
  const smallAnalyses = Math.ceil((nodes * 0.1) / smallWorkspaces / nodesOfAnalysis)
  const [made] = await query<Generated>(`
    with organization_row as (
      insert into organization (node_id) values (gen_random_uuid()) returning node_id as id
    ), workspace as materialized (
      select gen_random_uuid() as id, k from generate_series(0, ${smallWorkspaces}) k
    ), analysis as materialized (
      select gen_random_uuid() as id, w.id as w, row_number() over () as n
        from workspace w,
             generate_series(1, case k when 0 then ${bulkAnalyses} else ${smallAnalyses} end)
    ), figure as materialized (
      select gen_random_uuid() as id, a.id as a, a.w, row_number() over () as n
        from analysis a, generate_series(1, ${figuresOfAnalysis})
    ), revision as materialized (
      select gen_random_uuid() as id, f.id as f, f.a, f.w, p
        from figure f, generate_series(0, ${revisionsOfFigure - 1}) p
    ), made as (
      insert into node (id, type, parent_id, lineage, workspace_id, organization_id, position, state,
                        name, workspace_type, size_bytes, created_by, created_on)
      select id, 'organization', null::uuid, array[id], null::uuid, null::uuid, 0, 'active', 'o',
             null, 0, 'ada', now() from organization_row
      union all
      select w.id, 'workspace', null, array[w.id], w.id, case k when 0 then null else o.id end, k,
             'active', 'w' || k, 'secondary', 0, 'ada', now() + k * interval '1 ms'
        from workspace w, organization_row o
      union all
      select id, 'analysis', w, array[w, id], w, null, 0, 'active', 'a' || n, null, 0, 'ada',
             now() + n * interval '1 ms' from analysis
      union all
      select id, 'figure', a, array[w, a, id], w, null, 0, 'active', 'f' || n, null, 0, 'ada',
             now() + n * interval '1 ms' from figure
      union all
      select id, 'figure_revision', f, array[w, a, f, id], w, null, p, 'active', null, null, 1000,
             'ada', now() + p * interval '1 ms' from revision
      returning 1
    ), summed as (
      insert into node_stat (node_id, size_bytes, children, child_updated_by, child_updated_on)
      select w, 1000 * count(*), count(distinct a), 'ada', now() from revision group by w
      union all select a, 1000 * count(*), count(distinct f), 'ada', now() from revision group by a
      union all select f, 1000 * count(*), count(*), 'ada', now() from revision group by f
    ), granted as (
      insert into access_grant (subject, node_id, kind, role, granted_by)
      select 'ada', id, 'member', 'owner', 'ada' from workspace
      union all select 'ada', id, 'member', 'org_admin', 'ada' from organization_row
      union all select 'bob', id, 'member', 'workspace_viewer', 'ada' from organization_row
      union all select 'eve', id, 'share', 'viewer', 'ada' from figure where n <= 10
    )
    select (select id from organization_row) as organization,
           (select id from workspace where k = 0) as bulk, (select count(*)::int from made) as nodes`)
  if (!made) throw new Error('nothing was generated')
  await query('vacuum analyze')
  return made
}
