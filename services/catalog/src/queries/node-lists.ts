import { type Cursor, statement } from '@figbase/kit'
import type { Db, NodeKind } from '../db/schema.js'
import type { ChildCursor } from '../domain/child-cursor.js'
import type { Subject } from '../domain/subject.js'
import {
  alive,
  governed,
  grantsOf,
  type ListedNode,
  listedColumns,
  summedColumns,
  sums,
} from './nodes.js'

const childrenPage = (parent: string, later: string) =>
  statement<ListedNode>(`
    select ${listedColumns}, ${summedColumns} from node n ${sums}
     where n.${parent} = $1 and n.type = $2 and ${alive} ${later}
     order by n.position, n.created_on, n.seq limit $3`)

const laterChild = 'and (n.position, n.created_on, n.seq) > ($4::int, $5::timestamptz, $6::bigint)'
const childrenPages = {
  first: childrenPage('parent_id', ''),
  later: childrenPage('parent_id', laterChild),
}
const workspacePages = {
  first: childrenPage('organization_id', ''),
  later: childrenPage('organization_id', laterChild),
}

/**
 * Position first, then age. Served by node_children_idx, the workspaces of an organization by
 * node_organization_idx.
 */
export function listChildren(
  db: Db,
  parentId: string,
  type: NodeKind,
  limit: number,
  after?: ChildCursor,
): Promise<ListedNode[]> {
  const { first, later } = type === 'workspace' ? workspacePages : childrenPages
  if (!after) return first(db, parentId, type, limit)
  return later(db, parentId, type, limit, after.position, after.createdOn, after.seq)
}

// The first of each workspace and of each share, then the first of those: a page costs the same
// however many the caller can view. Sums only of what is on the page.
const readablePage = (later: string) => {
  const found = (where: string) => `
    select n.id, n.created_on, n.seq from node n
     where ${where} and n.type = $2 and ${alive} ${later}
     order by n.created_on, n.seq limit $3`
  return statement<ListedNode>(`
    with granted as (
      select g.node_id as id, g.kind from access_grant g where g.subject = $1
         and ($4::uuid is null or g.kind <> 'share'
              or $4 = (select n.workspace_id from node n where n.id = g.node_id))
    ), workspace as (
      select g.id from granted g where g.kind = 'member' and ($4::uuid is null or g.id = $4)
      union
      select w.id from granted g join node w on w.organization_id = g.id
       where g.kind = 'member' and ($4::uuid is null or w.id = $4)
    ), page as materialized (
      select f.* from workspace root cross join lateral (${found('n.workspace_id = root.id')}) f
      union
      select f.* from granted root cross join lateral (${found('n.id = root.id')}) f
       where root.kind = 'share'
      union
      select f.* from granted root
       cross join lateral (${found('n.lineage[2] = root.id and cardinality(n.lineage) > 2')}) f
       where root.kind = 'share'
      union
      select f.* from granted root join node figure on figure.id = root.id
       cross join lateral (${found('n.parent_id = root.id')}) f
       where root.kind = 'share' and figure.type = 'figure'
      order by created_on, seq limit $3
    )
    select ${listedColumns}, ${summedColumns} from page join node n on n.id = page.id ${sums}
     order by n.created_on, n.seq`)
}

const firstReadable = readablePage('')
const laterReadable = readablePage('and (n.created_on, n.seq) > ($5::timestamptz, $6::bigint)')

/**
 * All that the caller can view of one type as a member or by a share, oldest first. Served by
 * node_workspace_idx; what is shared by node_branch_idx, and below a figure by node_children_idx.
 */
export function listReadable(
  db: Db,
  type: NodeKind,
  { username, onlyIn }: Subject,
  limit: number,
  after?: Cursor,
): Promise<ListedNode[]> {
  if (!after) return firstReadable(db, username, type, limit, onlyIn)
  return laterReadable(db, username, type, limit, onlyIn, after.createdOn, after.seq)
}

const scopedPage = (later: string) =>
  statement<ListedNode>(`
    select ${listedColumns}, ${summedColumns} from node n ${governed} ${sums}
     where n.scope_id = $1 and n.workspace_id = $2 and ${alive} ${later}
       and exists (select ${grantsOf('$4', '$5')} offset 0)
     order by n.created_on, n.seq limit $3`)

const firstScoped = scopedPage('')
const laterScoped = scopedPage('and (n.created_on, n.seq) > ($6::timestamptz, $7::bigint)')

/**
 * What belongs to an analysis of the workspace and the caller can view, oldest first: who sees the analysis
 * need not see that. Served by node_scope_idx.
 */
export function listScoped(
  db: Db,
  analysisId: string,
  workspaceId: string,
  { username, onlyIn }: Subject,
  limit: number,
  after?: Cursor,
): Promise<ListedNode[]> {
  const values = [analysisId, workspaceId, limit, username, onlyIn]
  if (!after) return firstScoped(db, ...values)
  return laterScoped(db, ...values, after.createdOn, after.seq)
}

const named = `
  and n.type = 'asset' and hashtextextended(n.name, 0) = hashtextextended($5, 0) and n.name = $5
  and ($6::uuid is null or exists (
    select from node a where a.id = $6 and a.id = n.scope_id and a.workspace_id = n.workspace_id))`

const firstNamed = readablePage(named)
const laterNamed = readablePage(`
  ${named} and (n.created_on, n.seq) > ($7::timestamptz, $8::bigint)`)

/** Assets of this name, of any analysis (null) or of one. Served by node_asset_name_idx. */
export function listNamedAssets(
  db: Db,
  { username, onlyIn }: Subject,
  name: string,
  analysisId: string | null,
  limit: number,
  after?: Cursor,
): Promise<ListedNode[]> {
  const values = [username, 'asset', limit, onlyIn, name, analysisId]
  if (!after) return firstNamed(db, ...values)
  return laterNamed(db, ...values, after.createdOn, after.seq)
}
