import type { Db } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { alive, type Caller, grants, organizationJoin } from './node-sql.js'
import { type ListView, lastChangeOf, type OrderedNode, orderedList } from './ordered-list.js'

type Page = Caller & { analysisId: string; workspaceId: string; limit: number }

const scoped = orderedList<Page>({
  from: `node n ${organizationJoin}`,
  // With the workspace as a condition of its own, the planner would expect few rows, and sort the list.
  where: `n.scope_id = :analysisId and ${alive}
    and exists (select ${grants} and n.workspace_id = :workspaceId offset 0)`,
  hasPositions: false,
  isIndexed: true,
  changedOn: lastChangeOf('n'),
})

/**
 * The assets of an analysis that the caller can view: a viewer of the analysis may not have access to them. By age it
 * uses node_scope_idx, by name node_scope_name_idx.
 */
export function listScoped(
  db: Db,
  analysisId: string,
  workspaceId: string,
  { username, onlyWorkspaceId }: Subject,
  limit: number,
  view: ListView = {},
): Promise<OrderedNode[]> {
  return scoped(db, { analysisId, workspaceId, username, onlyWorkspaceId, limit }, view)
}
