import type { Periodic } from '@figbase/kit/service'
import { sql } from 'kysely'
import type { Ctx } from '../context.js'
import type { Db } from '../db/schema.js'

const rowsMax = 10_000

/** Adds the pending deltas to the folded sums. Reads get cheaper; their results do not change. */
export const foldDeltas: Periodic<Ctx> = {
  name: 'fold-deltas',
  everyMs: 1000,
  idleMsMax: 60_000,
  async run({ db }, signal) {
    // Runs full batches without a pause, so that a high write load does not pile up.
    let folded = await fold(db)
    const found = folded > 0
    while (folded === rowsMax && !signal.aborted) folded = await fold(db)
    return found
  },
}

/** Returns the number of folded deltas. */
async function fold(db: Db): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
      with taken as (
        delete from node_delta where id in
          (select id from node_delta order by id limit ${rowsMax} for update skip locked)
        returning id, node_id, size_bytes, children, analyses, figures, assets, stories, at, actor
      ), sums as (
        select node_id, sum(size_bytes) as size_bytes, sum(children) as children,
               sum(analyses) as analyses, sum(figures) as figures, sum(assets) as assets,
               sum(stories) as stories, count(*) as changes, max(at) as at,
               (array_agg(actor order by at desc, id desc))[1] as actor
          from taken group by node_id
      ), folded as (
      insert into node_stat as s (node_id, size_bytes, children, analyses, figures, assets, stories,
                                  changes, child_updated_on, child_updated_by, workspace_id, type)
      select f.node_id, f.size_bytes, f.children, f.analyses, f.figures, f.assets, f.stories, f.changes, f.at,
             f.actor, n.workspace_id, n.type
        from sums f left join node n on n.id = f.node_id order by f.node_id
      on conflict on constraint node_stat_pkey do update set
        size_bytes = s.size_bytes + excluded.size_bytes,
        children = s.children + excluded.children,
        analyses = s.analyses + excluded.analyses,
        figures = s.figures + excluded.figures,
        assets = s.assets + excluded.assets,
        stories = s.stories + excluded.stories,
        changes = s.changes + excluded.changes,
        workspace_id = coalesce(s.workspace_id, excluded.workspace_id),
        type = excluded.type,
        child_updated_by = case
          when s.child_updated_on is null or excluded.child_updated_on >= s.child_updated_on
          then excluded.child_updated_by else s.child_updated_by end,
        child_updated_on = greatest(s.child_updated_on, excluded.child_updated_on)
      )
      select count(*)::int as taken from taken`.execute(db)
  return rows[0]?.taken ?? 0
}
