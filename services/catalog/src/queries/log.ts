import { type Cursor, statement } from '@figbase/kit'
import type { ActivityTable, CommentWord, Db, NodeKind } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { newestRevisionsOf } from './newest-revisions.js'
import { type Caller, governed, grants, isAlive, type NodeAccess } from './nodes.js'

/** An entry as the views show it, with what its target and place are now. */
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

/** The column that makes the log of each type of node. */
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

const logColumns = `
  a.id, a.at, a.seq, a.action, a.actor, a.actor_kind, a.is_silent, a.organization_id, a.workspace_id,
  a.analysis_id, a.figure_id, a.asset_id, a.target_id, a.target_type, a.target_name, a.payload`

const visible = (column: string) => `a.${column} = :id and not a.is_silent`

const commentWords: CommentWord[] = ['comment_create', 'comment_update', 'comment_delete']
const listed = commentWords.map((word) => `'${word}'`).join(', ')
/** Of what is done to nodes, not of what is said about them. */
const aboutNodes = (entry: string) => `${entry}.action not in (${listed})`

const revisionsMax = 10

/** Whose log is read, and by whom. */
type Reading = Pick<NodeAccess, 'id' | 'lineage'> & Caller

/** What of the path :lineage of :id the caller may view. */
const pathInView = `
  path_in_view as materialized (
    select n.id from node n ${governed}
     where n.id = any(:lineage::uuid[]) and exists (select ${grants}))`

/**
 * Whether a node is still at or below :id, or above it and in the caller's view: of others the log tells
 * nothing new.
 */
const isNear = (node: string) => `
  (:id = any(${node}.lineage) or ${node}.id = any(array(select p.id from path_in_view p)) or :id =
    (select w.organization_id from node w where w.id = ${node}.workspace_id))`

const shown = (detailed: boolean) => `
  e.id, e.at, e.seq, e.action, e.actor, e.actor_kind, e.target_id, e.target_type, e.payload,
  coalesce(e.target_name, case when ${isNear('o')} then o.name end) as target_name,
  target.id is null as target_deleted, e.analysis_id,
  case when ${isNear('n')} then n.name end as analysis_name,
  ${
    detailed
      ? `case when ${isNear('target')} then ${newestRevisionsOf('target', `${revisionsMax}`)} else '{}' end`
      : "'{}'::uuid[]"
  } as newest_revision_ids`

// A revision goes by the name of what it belongs to.
const surroundings = `
  left join node target on target.id = e.target_id and ${isAlive('target')}
  left join node n on n.id = e.analysis_id
  left join node o on e.target_name is null and o.id = coalesce(e.figure_id, e.asset_id)`

/** What of a view is in the text of its statement: a plan with every filter takes long to make. */
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
  const isShown = (entry: string) => (withComments ? '' : `and ${aboutNodes(entry)}`)
  const isThere = excludeDeleted
    ? `and exists (select from node x where x.id = s.target_id and ${isAlive('x')})`
    : ''
  const isNewest = deduplicate
    ? `and not exists (
         select from activity a where ${visible(column)} ${isShown('a')} and a.target_id = s.target_id
            and a.at >= s.at and (a.at, a.seq) > (s.at, s.seq))`
    : ''
  return statement<{ counted: number } & (LogEntry | { id: null }), PageValues>(`
    with ${pathInView}, kept as materialized (
      select s.* from (
        select ${logColumns} from activity a where ${visible(column)} ${earlier}
         order by a.at desc, a.seq desc limit :scanMax
      ) s
      where true ${isShown('s')} ${isThere} ${isNewest}
      order by s.at desc, s.seq desc limit :keptMax
    ), e as (
      select k.* from kept k order by k.at desc, k.seq desc offset :offset limit :limit
    )
    select c.counted, ${shown(detailed)}
      from (select count(*)::int as counted from kept) c left join e on true ${surroundings}
     order by e.at desc, e.seq desc`)
}

// By its id first: the index of a column would read the whole log for it.
const single = (column: string, withComments: boolean) =>
  statement<LogEntry, Reading & { entryId: string }>(`
    with ${pathInView}, e as materialized (
      select ${logColumns} from activity a where a.id = :entryId
    )
    select ${shown(true)} from e ${surroundings}
     where e.${column} = :id and not e.is_silent ${withComments ? '' : `and ${aboutNodes('e')}`}`)

const singles = new Map<string, ReturnType<typeof single>>()
const pages = new Map<string, ReturnType<typeof page>>()

function pageOf(type: NodeKind, shape: Shape) {
  const column = columns[type]
  return madeOnce(pages, `${column} ${JSON.stringify(shape)}`, () => page(column, shape))
}

function madeOnce<T>(made: Map<string, T>, key: string, make: () => T): T {
  const known = made.get(key)
  if (known !== undefined) return known
  const one = make()
  made.set(key, one)
  return one
}

export type LogView = {
  excludeDeleted: boolean
  deduplicate: boolean
  detailed: boolean
  withComments: boolean
  offset: number
  limit: number
  /** Entries that are looked at, and those that are counted, at most. */
  scanMax: number
  countMax: number
  after?: Cursor | undefined
}

/**
 * The log of a node and of what was below it, newest first, by the index of its column: a page costs
 * the same however long the log is. Answers also how many entries there are, as far as was counted.
 */
export async function listLog(
  db: Db,
  { id, type, lineage }: Pick<NodeAccess, 'id' | 'type' | 'lineage'>,
  { username, onlyIn }: Subject,
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
  const reading = { id, lineage, username, onlyIn }
  const bounds = { scanMax, keptMax, offset, limit }
  const rows = await pageOf(type, shape)(db, { ...reading, ...bounds, ...after })
  const entries = rows.flatMap((row) => (row.id === null ? [] : [row]))
  return { entries, counted: rows[0]?.counted ?? 0 }
}

/** One visible entry of the log of a node. Served by activity_id_idx of each partition. */
export async function findLogEntry(
  db: Db,
  { id, type, lineage }: Pick<NodeAccess, 'id' | 'type' | 'lineage'>,
  { username, onlyIn }: Subject,
  { entryId, withComments }: { entryId: string } & Pick<LogView, 'withComments'>,
): Promise<LogEntry | undefined> {
  const column = columns[type]
  const find = madeOnce(singles, `${column} ${withComments}`, () => single(column, withComments))
  return (await find(db, { id, lineage, username, onlyIn, entryId }))[0]
}
