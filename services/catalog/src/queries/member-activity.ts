import { type Cursor, statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { entryColumns, type LogEntry, logColumns, surroundings } from './activity-log.js'
import { type Caller, isAlive } from './node-sql.js'
import { memberWorkspaces } from './recent.js'

export type MemberEntry = LogEntry & { workspace_id: string; workspace_name: string | null }

type Values = Caller & { limit: number } & Partial<Cursor>

/** Whether a node is still in the workspace of the entry. */
const isInWorkspace = (node: string) => `e.workspace_id = any(${node}.lineage)`

const page = (earlier: string) =>
  statement<MemberEntry, Values>(`
  with ${memberWorkspaces}, e as materialized (
    select f.* from workspace root join node w on w.id = root.id and w.type = 'workspace'
     cross join lateral (
       select ${logColumns} from activity a where a.workspace_id = root.id and not a.is_silent ${earlier}
        order by a.at desc, a.seq desc limit :limit
     ) f
     where ${isAlive('w')}
     order by f.at desc, f.seq desc limit :limit
  )
  select ${entryColumns(false, isInWorkspace)}, e.workspace_id, root.name as workspace_name
    from e join node root on root.id = e.workspace_id ${surroundings}
   order by e.at desc, e.seq desc`)

const first = page('')
const later = page(`
  and a.at <= :createdOn::timestamptz and (a.at, a.seq) < (:createdOn::timestamptz, :seq::bigint)`)

/**
 * The entries about the workspaces of a member, newest first. All members may read comments, so their entries are
 * included. Takes a page of each workspace by activity_workspace_idx.
 */
export function listMemberLog(
  db: Db,
  { username, onlyWorkspaceId }: Subject,
  limit: number,
  after: Cursor | undefined,
): Promise<MemberEntry[]> {
  const list = after ? later : first
  return list(db, { username, onlyWorkspaceId, limit, ...after })
}
