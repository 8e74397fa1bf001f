import { statement } from '@figbase/kit'
import type { Db, NodeKind } from '../db/schema.js'

/** Live nodes by type. */
export type Counts = { analyses: number; figures: number; assets: number; stories: number }

export const nothing: Counts = { analyses: 0, figures: 0, assets: 0, stories: 0 }

const countsById = statement<Counts>(`
  select ${Object.keys(nothing)
    .map((name) => `(coalesce(s.${name}, 0) + coalesce(d.${name}, 0))::int as ${name}`)
    .join(', ')}
    from (select $1::uuid as id) n
    left join node_stat s on s.node_id = n.id
    left join lateral (
      select ${Object.keys(nothing)
        .map((name) => `sum(x.${name}) as ${name}`)
        .join(', ')}
        from node_delta x where x.node_id = n.id
    ) d on true`)

/** What is below a node. Served by node_stat_pkey and node_delta_node_idx. */
export async function countBelow(db: Db, id: string): Promise<Counts> {
  return (await countsById(db, id))[0] ?? nothing
}

/** What comes or goes with a node: what is below it and itself. */
export async function countWith(db: Db, id: string, type: NodeKind): Promise<Counts> {
  const { analyses, figures, assets, stories } = await countBelow(db, id)
  const own = (kind: NodeKind) => (type === kind ? 1 : 0)
  return {
    analyses: analyses + own('analysis'),
    figures: figures + own('figure'),
    assets: assets + own('asset'),
    stories: stories + own('story'),
  }
}

export const negative = ({ analyses, figures, assets, stories }: Counts): Counts => ({
  analyses: -analyses,
  figures: -figures,
  assets: -assets,
  stories: -stories,
})
