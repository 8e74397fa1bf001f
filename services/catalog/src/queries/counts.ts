import { statement } from '@figbase/kit/db'
import type { Db, NodeKind } from '../db/schema.js'

/** Live nodes by type. */
export type Counts = { analyses: number; figures: number; assets: number; stories: number }

export const zeroCounts: Counts = { analyses: 0, figures: 0, assets: 0, stories: 0 }

const countsById = statement<Counts>(`
  select ${Object.keys(zeroCounts)
    .map((name) => `(coalesce(s.${name}, 0) + coalesce(d.${name}, 0))::int as ${name}`)
    .join(', ')}
    from (select $1::uuid as id) n
    left join node_stat s on s.node_id = n.id
    left join lateral (
      select ${Object.keys(zeroCounts)
        .map((name) => `sum(x.${name}) as ${name}`)
        .join(', ')}
        from node_delta x where x.node_id = n.id
    ) d on true`)

/** Live descendants of a node by type. Uses node_stat_pkey and node_delta_node_idx. */
export async function countDescendants(db: Db, id: string): Promise<Counts> {
  return (await countsById(db, id))[0] ?? zeroCounts
}

/** Live nodes in the subtree of a node, itself included. */
export async function countSubtree(db: Db, id: string, type: NodeKind): Promise<Counts> {
  const { analyses, figures, assets, stories } = await countDescendants(db, id)
  const self = (kind: NodeKind) => (type === kind ? 1 : 0)
  return {
    analyses: analyses + self('analysis'),
    figures: figures + self('figure'),
    assets: assets + self('asset'),
    stories: stories + self('story'),
  }
}

export const negated = ({ analyses, figures, assets, stories }: Counts): Counts => ({
  analyses: -analyses,
  figures: -figures,
  assets: -assets,
  stories: -stories,
})
