import { type Cursor, statement } from '@figbase/kit/db'
import type { ActivityTable, CommentActionName, Db, NodeKind } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import type { NodeAccess } from './access.js'
import { newestRevisionsOf } from './newest-revisions.js'
import { type Caller, grants, isAlive, organizationJoin } from './node-sql.js'

/** An entry of the log, with the current state of its target and place. */
export type LogEntry = Pick<
  ActivityTable,
  'id' | 'at' | 'action' | 'actor' | 'target_id' | 'target_type' | 'target_name' | 'analysis_id'
> & {
  seq: bigint
  actor_kind: string
  payload: string
  target_deleted: boolean
  analysis_name: string | null
  newest_revision_ids: string[]
}

/** The column that selects the log of a node, by its type. */
const columns = {
  organization: 'organization_id',
  workspace: 'workspace_id',
  analysis: 'analysis_id',
  figure: 'figure_id',
  asset: 'asset_id',
  figure_revision: 'target_id',
  asset_revision: 'target_id',
  story: 'target_id',
} as const satisfies Record<NodeKind, keyof ActivityTable>

export const logColumns = `
  a.id, a.at, a.seq, a.action, a.actor, a.actor_kind, a.is_silent, a.organization_id, a.workspace_id,
  a.analysis_id, a.figure_id, a.asset_id, a.target_id, a.target_type, a.target_name, a.payload`

const visible = (column: string) => `a.${column} = :id and not a.is_silent`

const commentActions: CommentActionName[] = ['comment_create', 'comment_update', 'comment_delete']
const commentActionList = commentActions.map((action) => `'${action}'`).join(', ')
/** SQL: whether an entry is about a node, not about a comment. */
const aboutNodes = (entry: string) => `${entry}.action not in (${commentActionList})`

const revisionsMax = 10

/** The node whose log is read, and the caller. */
type Reading = Pick<NodeAccess, 'id' | 'lineage'> & Caller

/** SQL for the nodes on the path :lineage of :id that the caller may view. */
const pathInView = `
  path_in_view as materialized (
    select n.id from node n ${organizationJoin}
     where n.id = any(:lineage::uuid[]) and exists (select ${grants}))`

/**
 * SQL: whether a node is still at or below :id, or an ancestor that the caller may view. The log shows the current
 * names and revisions of these nodes only.
 */
const isInView: InView = (node) => `
  (:id = any(${node}.lineage) or ${node}.id = any(array(select p.id from path_in_view p)) or :id =
    (select w.organization_id from node w where w.id = ${node}.workspace_id))`

/** SQL: whether the log shows the current name and revisions of a node. */
type InView = (node: string) => string

export const entryColumns = (detailed: boolean, isInView: InView): string => `
  e.id, e.at, e.seq, e.action, e.actor, e.actor_kind, e.target_id, e.target_type, e.payload,
  coalesce(e.target_name, case when ${isInView('o')} then o.name end) as target_name,
  target.id is null as target_deleted, e.analysis_id,
  case when ${isInView('n')} then n.name end as analysis_name,
  ${
    detailed
      ? `case when ${isInView('target')} then ${newestRevisionsOf('target', `${revisionsMax}`)} else '{}' end`
      : "'{}'::uuid[]"
  } as newest_revision_ids`

// A revision has the name of its figure or asset.
export const surroundings = `
  left join node target on target.id = e.target_id and ${isAlive('target')}
  left join node n on n.id = e.analysis_id
  left join node o on e.target_name is null and o.id = coalesce(e.figure_id, e.asset_id)`

/** The options that select a statement. One statement with every filter would take long to plan. */
type Shape = Pick<LogView, 'excludeDeleted' | 'deduplicate' | 'detailed' | 'withComments'> & {
  isLater: boolean
}

type PageValues = Reading &
  Pick<LogView, 'scanMax' | 'offset' | 'limit'> & { keptMax: number } & Partial<Cursor>

const page = (column: string, shape: Shape) => {
  const { excludeDeleted, deduplicate, detailed, withComments, isLater } = shape
  const earlier = isLater
    ? `and a.at <= :createdOn::timestamptz
       and (a.at, a.seq) < (:createdOn::timestamptz, :seq::bigint)`
    : ''
  const commentFilter = (entry: string) => (withComments ? '' : `and ${aboutNodes(entry)}`)
  const liveFilter = excludeDeleted
    ? `and exists (select from node x where x.id = s.target_id and ${isAlive('x')})`
    : ''
  const newestFilter = deduplicate
    ? `and not exists (
         select from activity a where ${visible(column)} ${commentFilter('a')} and a.target_id = s.target_id
            and a.at >= s.at and (a.at, a.seq) > (s.at, s.seq))`
    : ''
  return statement<{ counted: number } & (LogEntry | { id: null }), PageValues>(`
    with ${pathInView}, kept as materialized (
      select s.* from (
        select ${logColumns} from activity a where ${visible(column)} ${earlier}
         order by a.at desc, a.seq desc limit :scanMax
      ) s
      where true ${commentFilter('s')} ${liveFilter} ${newestFilter}
      order by s.at desc, s.seq desc limit :keptMax
    ), e as (
      select k.* from kept k order by k.at desc, k.seq desc offset :offset limit :limit
    )
    select c.counted, ${entryColumns(detailed, isInView)}
      from (select count(*)::int as counted from kept) c left join e on true ${surroundings}
     order by e.at desc, e.seq desc`)
}

// Selects by id first: the index of the log column would read the whole log.
const entryStatement = (column: string, withComments: boolean) =>
  statement<LogEntry, Reading & { entryId: string }>(`
    with ${pathInView}, e as materialized (
      select ${logColumns} from activity a where a.id = :entryId
    )
    select ${entryColumns(true, isInView)} from e ${surroundings}
     where e.${column} = :id and not e.is_silent ${withComments ? '' : `and ${aboutNodes('e')}`}`)

const entryStatements = new Map<string, ReturnType<typeof entryStatement>>()
const pageStatements = new Map<string, ReturnType<typeof page>>()

function pageOf(type: NodeKind, shape: Shape) {
  const column = columns[type]
  return cached(pageStatements, `${column} ${JSON.stringify(shape)}`, () => page(column, shape))
}

function cached<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const existing = cache.get(key)
  if (existing !== undefined) return existing
  const created = make()
  cache.set(key, created)
  return created
}

export type LogView = {
  excludeDeleted: boolean
  deduplicate: boolean
  detailed: boolean
  withComments: boolean
  offset: number
  limit: number
  /** The maximum numbers of entries to scan and to count. */
  scanMax: number
  countMax: number
  after?: Cursor | undefined
}

/**
 * The log of a node and its subtree, newest first, with the number of entries, up to `countMax`. Uses the index of
 * the log column, so the cost of a page does not depend on the length of the log.
 */
export async function listLog(
  db: Db,
  { id, type, lineage }: Pick<NodeAccess, 'id' | 'type' | 'lineage'>,
  { username, onlyWorkspaceId }: Subject,
  view: LogView,
): Promise<{ entries: LogEntry[]; counted: number }> {
  const { excludeDeleted, deduplicate, detailed, withComments } = view
  const { offset, limit, scanMax, countMax, after } = view
  const keptMax = Math.max(offset + limit, detailed ? countMax : 0)
  const shape = {
    excludeDeleted,
    deduplicate,
    detailed,
    withComments,
    isLater: after !== undefined,
  }
  const reading = { id, lineage, username, onlyWorkspaceId }
  const bounds = { scanMax, keptMax, offset, limit }
  const rows = await pageOf(type, shape)(db, { ...reading, ...bounds, ...after })
  const entries = rows.flatMap((row) => (row.id === null ? [] : [row]))
  return { entries, counted: rows[0]?.counted ?? 0 }
}

/** One visible entry of the log of a node. Uses activity_id_idx of each partition. */
export async function findLogEntry(
  db: Db,
  { id, type, lineage }: Pick<NodeAccess, 'id' | 'type' | 'lineage'>,
  { username, onlyWorkspaceId }: Subject,
  { entryId, withComments }: { entryId: string } & Pick<LogView, 'withComments'>,
): Promise<LogEntry | undefined> {
  const column = columns[type]
  const find = cached(entryStatements, `${column} ${withComments}`, () =>
    entryStatement(column, withComments),
  )
  return (await find(db, { id, lineage, username, onlyWorkspaceId, entryId }))[0]
}
