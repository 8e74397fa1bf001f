import { type Cursor, statement } from '@figbase/kit/db'
import type { Db, NodeKind } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import {
  alive,
  type Caller,
  isAlive,
  type ListedNode,
  listedColumns,
  summedColumns,
  sums,
} from './node-sql.js'

type FirstChildren = { parentId: string; types: NodeKind[]; limit: number }

const firstChildren = statement<ListedNode, FirstChildren>(`
  select ${listedColumns}, ${summedColumns}
    from unnest(:types::text[]) t (type) cross join lateral (
      select c.* from node c
       where c.parent_id = :parentId and c.type = t.type and ${isAlive('c')}
       order by c.position, c.created_on, c.seq limit :limit
    ) n ${sums}
   order by n.position, n.created_on, n.seq`)

/**
 * The first children of each of these types, by position, then by creation. Not for workspaces. Uses
 * node_children_idx.
 */
export async function listFirstChildren(
  db: Db,
  parentId: string,
  types: NodeKind[],
  limit: number,
): Promise<Map<NodeKind, ListedNode[]>> {
  const children = new Map(types.map((type) => [type, [] as ListedNode[]]))
  if (children.size === 0) return children
  const request = { parentId, types: [...children.keys()], limit }
  for (const child of await firstChildren(db, request)) children.get(child.type)?.push(child)
  return children
}

type ReadablePage = Caller & { type: NodeKind; limit: number }

// Takes a page of each workspace and each share, then the first page of these, so that the cost does not depend on
// the number of visible nodes. Computes the sums only for the resulting page.
const readablePage = <Values extends ReadablePage>(later: string) => {
  const found = (where: string) => `
    select n.id, n.created_on, n.seq from node n
     where ${where} and n.type = :type and ${alive} ${later}
     order by n.created_on, n.seq limit :limit`
  return statement<ListedNode, Values>(`
    with granted as (
      select g.node_id as id, g.kind from access_grant g where g.subject = :username
         and (:onlyWorkspaceId::uuid is null or g.kind <> 'share'
              or :onlyWorkspaceId = (select n.workspace_id from node n where n.id = g.node_id))
    ), workspace as (
      select g.id from granted g where g.kind = 'member' and (:onlyWorkspaceId::uuid is null or g.id = :onlyWorkspaceId)
      union
      select w.id from granted g join node w on w.organization_id = g.id
       where g.kind = 'member' and (:onlyWorkspaceId::uuid is null or w.id = :onlyWorkspaceId)
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
      order by created_on, seq limit :limit
    )
    select ${listedColumns}, ${summedColumns} from page join node n on n.id = page.id ${sums}
     order by n.created_on, n.seq`)
}

const laterNode = 'and (n.created_on, n.seq) > (:createdOn::timestamptz, :seq::bigint)'

const firstReadable = readablePage<ReadablePage>('')
const laterReadable = readablePage<ReadablePage & Cursor>(laterNode)

/**
 * All nodes of one type that the caller can view as a member or by a share, oldest first. Uses node_workspace_idx;
 * for shares node_branch_idx, and below a figure node_children_idx.
 */
export function listReadable(
  db: Db,
  type: NodeKind,
  { username, onlyWorkspaceId }: Subject,
  limit: number,
  after?: Cursor,
): Promise<ListedNode[]> {
  if (!after) return firstReadable(db, { username, onlyWorkspaceId, type, limit })
  return laterReadable(db, { username, onlyWorkspaceId, type, limit, ...after })
}

type NamedPage = ReadablePage & { name: string; analysisId: string | null }

const named = `
  and n.type = 'asset' and hashtextextended(n.name, 0) = hashtextextended(:name, 0) and n.name = :name
  and (:analysisId::uuid is null or exists (
    select from node a
     where a.id = :analysisId and a.id = n.scope_id and a.workspace_id = n.workspace_id))`

const firstNamed = readablePage<NamedPage>(named)
const laterNamed = readablePage<NamedPage & Cursor>(`${named} ${laterNode}`)

/** Assets with this name, in any analysis (null) or in one. Uses node_asset_name_idx. */
export function listNamedAssets(
  db: Db,
  { username, onlyWorkspaceId }: Subject,
  name: string,
  analysisId: string | null,
  limit: number,
  after?: Cursor,
): Promise<ListedNode[]> {
  const page: NamedPage = { username, onlyWorkspaceId, type: 'asset', name, analysisId, limit }
  if (!after) return firstNamed(db, page)
  return laterNamed(db, { ...page, ...after })
}
