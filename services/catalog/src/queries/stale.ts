import { type Cursor, statement } from '@figbase/kit/db'
import { isoTimeSql, publishSql } from '@figbase/kit/events'
import type { Db, Tx } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { figureStale } from '../events.js'
import {
  type Caller,
  isAlive,
  type ListedNode,
  listedColumns,
  type StaleReason,
  staleBecause,
  summedColumns,
  sums,
} from './node-sql.js'

type Page = Caller & { workspaceId: string; limit: number; scanMax: number }

/** The end of the scanned part, and a stale figure in it with the place of its newest revision. */
type Row = {
  is_cut: boolean
  end_on: string | null
  end_seq: bigint | null
} & ({ id: null } | (ListedNode & { place_on: string; place_seq: bigint }))

// The newest revision of a figure is found by its place in node_children_idx.
const staleIn = <Values extends Page>(later: string) =>
  statement<Row, Values>(`
  with scanned as materialized (
    select r.id, r.parent_id, r.type, r.position, r.lineage, r.state, r.created_on, r.seq from node r
     where r.workspace_id = :workspaceId and r.uses > 0 ${later}
     order by r.created_on, r.seq limit :scanMax
  ), ending as (
    select s.created_on, s.seq from scanned s order by s.created_on desc, s.seq desc limit 1
  ), found as (
    select s.parent_id, s.created_on, s.seq from scanned s
     where ${isAlive('s')}
       and not exists (
         select from node x
          where x.parent_id = s.parent_id and x.type = s.type and ${isAlive('x')}
            and (x.position, x.created_on, x.seq) > (s.position, s.created_on, s.seq) offset 0)
       and is_stale(s.parent_id)
     order by s.created_on, s.seq limit :limit
  )
  select (select count(*) from scanned) = :scanMax as is_cut, e.created_on as end_on, e.seq as end_seq,
         f.created_on as place_on, f.seq as place_seq, p.*
    from (select) one left join ending e on true left join found f on true
    left join lateral (
      select ${listedColumns}, ${summedColumns}, ${staleBecause} from node n ${sums} where n.id = f.parent_id
    ) p on true
   order by f.created_on, f.seq`)

const first = staleIn<Page>('')
const later = staleIn<Page & Cursor>(
  'and (r.created_on, r.seq) > (:createdOn::timestamptz, :seq::bigint)',
)

/**
 * The stale figures among the next `scanMax` figure revisions of a workspace that use assets, by the age of their newest
 * revision, and where the next page begins, if there may be one. Uses node_uses_idx.
 */
export async function listStale(
  db: Db,
  { username, onlyWorkspaceId }: Subject,
  { workspaceId, limit, scanMax, after }: Omit<Page, keyof Caller> & { after: Cursor | undefined },
): Promise<{ figures: ListedNode[]; next: Cursor | undefined }> {
  const page = { username, onlyWorkspaceId, workspaceId, limit: limit + 1, scanMax }
  const rows = await (after ? later(db, { ...page, ...after }) : first(db, page))
  const found = rows.flatMap((row) => (row.id === null ? [] : [row]))
  const figures = found.slice(0, limit)
  const last = figures.at(-1)
  if (found.length > limit && last)
    return { figures, next: cursorOf(last.place_on, last.place_seq) }
  const [end] = rows
  const isEnded = !end?.is_cut || end.end_on === null || end.end_seq === null
  return { figures, next: isEnded ? undefined : cursorOf(end.end_on, end.end_seq) }
}

const cursorOf = (createdOn: string | null, seq: bigint | null): Cursor => ({
  createdOn: createdOn ?? '',
  seq: String(seq),
})

const reasons = statement<{ stale_because: StaleReason[] | null }, Caller & { id: string }>(`
  select ${staleBecause} from node n where n.id = :id`)

/** The assets that make a figure stale and that the caller may view. */
export async function listStaleReasons(
  db: Db,
  id: string,
  { username, onlyWorkspaceId }: Subject,
): Promise<StaleReason[]> {
  return (await reasons(db, { id, username, onlyWorkspaceId }))[0]?.stale_because ?? []
}

const confirmed = statement<{ at: string }>(`
  with confirmed as (
    insert into confirmation as c (figure_id, asset_id, position)
    select $1::uuid, s.asset_id, s.newest_position from stale_uses($1::uuid) s
    on conflict on constraint confirmation_pkey do update set position = excluded.position
    returning c.figure_id
  )
  select now() as at where exists (select from confirmed)`)

/** Ends that a figure is stale because of the present revisions of its assets; undefined if it is not stale. */
export async function confirmFigure(tx: Tx, id: string): Promise<string | undefined> {
  return (await confirmed(tx, id))[0]?.at
}

export type StaleFigure = {
  figureId: string
  figureName: string
  workspaceId: string
  analysisId: string
  assetId: string
  figureCreatedBy: string
}

const becameStale = statement<StaleFigure>(`
  select f.id as "figureId", f.name as "figureName", f.workspace_id as "workspaceId",
         f.parent_id as "analysisId", s.asset_id as "assetId", f.created_by as "figureCreatedBy"
    from node a
    cross join lateral (
      select distinct r.parent_id as id from asset_use u join node r on r.id = u.figure_revision_id
       where u.asset_id = a.parent_id
    ) user_of
    join node f on f.id = user_of.id
    cross join lateral stale_uses(f.id) s
   where a.id = $1 and s.newest_id = a.id and ${isAlive('f')}
   order by f.seq limit $2`)

/** The figures that this asset revision, the newest of its asset, makes stale. Uses asset_use_asset_idx. */
export const listMadeStale = (db: Db, assetRevisionId: string, limit: number) =>
  becameStale(db, assetRevisionId, limit)

const told = statement<{ created_by: string; created_on: string }>(`
  with revision as materialized (
    select n.parent_id, n.position, n.created_by, n.created_on::text from node n where n.id = $1
  ), told as (
    insert into asset_told as t (asset_id, position) select r.parent_id, r.position from revision r
    on conflict on constraint asset_told_pkey do update set position = excluded.position
     where t.position < excluded.position
    returning t.asset_id
  )
  select r.created_by, r.created_on from revision r where exists (select from told)`)

/** Undefined if this revision of an asset, or a later one, was announced before. */
export async function markTold(tx: Tx, assetRevisionId: string) {
  return (await told(tx, assetRevisionId))[0]
}

/** What the events have in common. */
type StaleCause = { assetRevisionId: string; at: string; actor: string; requestId: string }

const published = statement<never, StaleCause & { figures: string }>(
  publishSql(figureStale, {
    id: 'f.id',
    key: 'f."figureId"',
    actor: ':actor',
    requestId: ':requestId',
    payload: {
      figureId: 'f."figureId"',
      figureName: 'f."figureName"',
      workspaceId: 'f."workspaceId"',
      analysisId: 'f."analysisId"',
      assetId: 'f."assetId"',
      assetRevisionId: ':assetRevisionId::uuid',
      at: isoTimeSql(':at::timestamptz'),
      figureCreatedBy: 'f."figureCreatedBy"',
    },
    from: `jsonb_to_recordset(:figures::jsonb) as f (id uuid, "figureId" uuid, "figureName" text,
             "workspaceId" uuid, "analysisId" uuid, "assetId" uuid, "figureCreatedBy" text)`,
  }),
)

/** Publishes an event for each figure; `id` is that of its event. The caller wakes the relay. */
export async function publishStale(
  tx: Tx,
  figures: (StaleFigure & { id: string })[],
  cause: StaleCause,
): Promise<void> {
  await published(tx, { ...cause, figures: JSON.stringify(figures) })
}
