import { statement } from '@figbase/kit/db'
import type { AssignmentRow, Db } from '../db/schema.js'

const columns = `
  a.revision_id, a.figure_id, a.analysis_id, a.username, a.silent, a.workspace_id, a.task_id, a.target_id`

export type NewAssignment = Pick<
  AssignmentRow,
  'revision_id' | 'figure_id' | 'analysis_id' | 'username' | 'silent'
>

type Inserted = Pick<NewAssignment, 'username' | 'silent'> & {
  revisionId: string
  figureId: string
  analysisId: string
}

const inserted = statement<never, Inserted>(`
  insert into assignment (revision_id, figure_id, analysis_id, username, silent)
  values (:revisionId, :figureId, :analysisId, :username, :silent)`)

export async function insertAssignment(db: Db, assignment: NewAssignment): Promise<void> {
  const { revision_id: revisionId, figure_id: figureId, analysis_id: analysisId } = assignment
  const { username, silent } = assignment
  await inserted(db, { revisionId, figureId, analysisId, username, silent })
}

const started = statement<never>(
  'update assignment set task_id = $2, workspace_id = $3 where revision_id = $1',
)

/** Runs in the transaction that commits the revision. */
export async function startAssignment(
  tx: Db,
  revisionId: string,
  taskId: string,
  workspaceId: string,
): Promise<void> {
  await started(tx, revisionId, taskId, workspaceId)
}

const one = statement<AssignmentRow>(`select ${columns} from assignment a where a.revision_id = $1`)

/** Undefined if the assignment has ended. */
export async function findAssignment(
  db: Db,
  revisionId: string,
): Promise<AssignmentRow | undefined> {
  return (await one(db, revisionId))[0]
}

const aimed = statement<never>('update assignment set target_id = $2 where revision_id = $1')

/** Null keeps the revision in its figure. */
export async function setAssignmentTarget(
  db: Db,
  revisionId: string,
  targetId: string | null,
): Promise<void> {
  await aimed(db, revisionId, targetId)
}

const ended = statement<never>(`
  with ended as (delete from assignment where revision_id = $1)
  update revision set processing_attempts = 0 where id = $1`)

/** Resets the processing attempts, because those of the assignment do not count. */
export async function endAssignment(db: Db, revisionId: string): Promise<void> {
  await ended(db, revisionId)
}

const dropped = statement<never>(
  'delete from assignment where revision_id = $1 and task_id is null',
)

/** Deletes an assignment if its revision was not committed. */
export async function deleteUnstarted(db: Db, revisionId: string): Promise<void> {
  await dropped(db, revisionId)
}

const abandoned = statement<AssignmentRow>(`
  select ${columns} from assignment a
   where case when a.task_id is null then a.started_on < now() - make_interval(secs => $2)
              else not exists (
                select from job j where j.name = $1 and j.key = a.task_id::text and j.state <> 'dead')
         end
   limit 100`)

/**
 * Assignments without a live job, and those whose revision was not committed in time. Scans the table,
 * which only has current assignments.
 */
export function listAbandoned(
  db: Db,
  jobName: string,
  uncommittedSeconds: number,
): Promise<AssignmentRow[]> {
  return abandoned(db, jobName, uncommittedSeconds)
}

const moved = statement<{ revision_index: number }>(`
  with locked as materialized (
    select r.id from revision r where r.id = $1 and r.parent_id <> $2::uuid for update
  ), drawn as (
    insert into revision_counter as c (parent_id, next_index)
    select $2::uuid, 1 from locked
    on conflict (parent_id) do update set next_index = c.next_index + 1
    returning c.next_index - 1 as revision_index
  )
  update revision r
     set parent_id = $2, revision_index = d.revision_index, assigned_from = r.parent_id
    from locked l, drawn d where r.id = l.id
  returning r.revision_index`)

const indexes = statement<{ revision_index: number }>(
  'select revision_index from revision where id = $1',
)

/** Gives a revision the next index of another figure, once. Undefined if the revision is gone. */
export async function moveToFigure(
  db: Db,
  revisionId: string,
  figureId: string,
): Promise<number | undefined> {
  const [row] = await moved(db, revisionId, figureId)
  return (row ?? (await indexes(db, revisionId))[0])?.revision_index
}

export type NearestFigure = { figure_id: string; distance: number }

const nearest = statement<NearestFigure>(`
  select r.parent_id as figure_id, min(bit_count((t.likeness # $2::bigint)::bit(64)))::int as distance
    from revision r join thumbnail t on t.revision_id = r.id
   where r.id = any($1::uuid[]) and t.likeness is not null
     and not exists (select from assignment a where a.figure_id = r.parent_id)
   group by r.parent_id
   order by distance limit 2`)

/**
 * The two figures with the most similar pictures, among these revisions. The distance is the number of
 * different bits of 64. By revision_pkey and thumbnail_pkey.
 */
export function listNearest(
  db: Db,
  revisionIds: string[],
  likeness: bigint,
): Promise<NearestFigure[]> {
  return nearest(db, revisionIds, likeness.toString())
}
