import { type Cursor, type Executor, statement } from '@figbase/kit/db'
import type { StaffActionKind } from '@figbase/proto/identity/staff'

export type StaffActionRow = {
  seq: bigint
  created_on: string
  created_by: string
  kind: StaffActionKind
  target: string
}

export type NewStaffAction = { by: string; kind: StaffActionKind; target: string }

const inserted = statement<never, NewStaffAction>(`
  insert into staff_action (created_by, kind, target) values (:by, :kind, :target)`)

/** To be called in the transaction of the action. */
export async function insertStaffAction(tx: Executor, action: NewStaffAction): Promise<void> {
  await inserted(tx, action)
}

const columns = 'a.seq, a.created_on, a.created_by, a.kind, a.target'
const first = statement<StaffActionRow>(`
  select ${columns} from staff_action a order by a.created_on desc, a.seq desc limit $1`)
const later = statement<StaffActionRow>(`
  select ${columns} from staff_action a
   where (a.created_on, a.seq) < ($2::timestamptz, $3::bigint)
   order by a.created_on desc, a.seq desc limit $1`)

/** Newest first. By staff_action_created_idx. */
export const listStaffActions = (
  db: Executor,
  limit: number,
  after: Cursor | undefined,
): Promise<StaffActionRow[]> =>
  after ? later(db, limit, after.createdOn, after.seq) : first(db, limit)

const old = statement<never>(`
  delete from staff_action where created_on < now() - $1 * interval '1 millisecond'`)

/** By staff_action_created_idx. */
export async function deleteOldStaffActions(db: Executor, retentionMs: number): Promise<void> {
  await old(db, retentionMs)
}

export type BackupRow = { created_on: string; path: string; bytes: bigint }

const backups = statement<BackupRow>(`
  select b.created_on, b.path, b.bytes from backup b order by b.created_on desc limit $1`)

/** Newest first. By backup_pkey. */
export const listBackups = (db: Executor, limit: number): Promise<BackupRow[]> => backups(db, limit)
