import { type Cursor, statement } from '@figbase/kit/db'
import type { Db, GitImportRow, GitImportState, GitImportTrigger } from '../db/schema.js'
import type { ImportCounts, ImportTotals } from '../domain/git-slots.js'
import type { RefusedPath } from '../git/repository.js'

const columns = `
  i.id, i.seq, i.repository_id, i.task_id, i.state, i.trigger, i.is_repeated, i.created_on, i.ended_on, i.commit_id,
  i.error, i.counts, i.refused`

const open = statement<GitImportRow>(`
  select ${columns} from git_import i where i.repository_id = $1 and i.ended_on is null for update`)

/** The import that waits or runs. It is locked until the end of the transaction. By git_import_open_key. */
export async function lockOpenImport(
  tx: Db,
  repositoryId: string,
): Promise<GitImportRow | undefined> {
  return (await open(tx, repositoryId))[0]
}

const waiting = statement<GitImportRow>(`
  select ${columns} from git_import i
   where i.repository_id = any($1::uuid[]) and i.ended_on is null and i.state = 'WAITING'`)

/** By git_import_open_key. */
export function listWaitingImports(db: Db, repositoryIds: string[]): Promise<GitImportRow[]> {
  return waiting(db, repositoryIds)
}

type NewImport = { id: string; repositoryId: string; taskId: string; trigger: GitImportTrigger }

const inserted = statement<GitImportRow, NewImport>(`
  insert into git_import as i (id, repository_id, task_id, trigger)
  values (:id, :repositoryId, :taskId, :trigger)
  returning ${columns}`)

export async function insertImport(db: Db, one: NewImport): Promise<GitImportRow> {
  const [row] = await inserted(db, one)
  if (!row) throw new Error('inserting an import returned no row')
  return row
}

const repeated = statement<never>('update git_import set is_repeated = true where id = $1')

/** Another import will follow this one. */
export async function repeatImport(db: Db, id: string): Promise<void> {
  await repeated(db, id)
}

const found = statement<GitImportRow>(`select ${columns} from git_import i where i.id = $1`)

export async function findImport(db: Db, id: string): Promise<GitImportRow | undefined> {
  return (await found(db, id))[0]
}

const begun = statement<GitImportRow>(`
  update git_import i set state = 'RUNNING' where i.id = $1 and i.ended_on is null
  returning ${columns}`)

/** Undefined if it has ended, or its repository was deleted. */
export async function beginImport(db: Db, id: string): Promise<GitImportRow | undefined> {
  return (await begun(db, id))[0]
}

export type ImportOutcome = {
  state: GitImportState
  commitId: string
  error: string
  totals: ImportTotals
  refused: RefusedPath[]
}

const ended = statement<GitImportRow, Record<string, unknown>>(`
  update git_import i
     set state = :state, ended_on = now(), commit_id = :commitId, error = :error, counts = :counts::json,
         refused = :refused::json
   where i.id = :id and i.ended_on is null
  returning ${columns}`)

/** Undefined if it had ended. */
export async function endImport(
  db: Db,
  id: string,
  { state, commitId, error, refused }: ImportOutcome,
  counts: ImportCounts,
): Promise<GitImportRow | undefined> {
  const json = { counts: JSON.stringify(counts), refused: JSON.stringify(refused) }
  return (await ended(db, { state, commitId, error, ...json, id }))[0]
}

const abandoned = statement<GitImportRow>(`
  select ${columns} from git_import i
   where i.ended_on is null and i.created_on < now() - interval '5 seconds'
     and not exists (select from job j where j.name = $1 and j.key = i.task_id::text and j.state <> 'dead')
   order by i.created_on limit 100`)

/** Open imports without a live job. By git_import_open_idx and job_key_key. */
export function listAbandonedImports(db: Db, jobName: string): Promise<GitImportRow[]> {
  return abandoned(db, jobName)
}

const listed = statement<GitImportRow>(`
  select ${columns} from git_import i where i.repository_id = $1
   order by i.created_on desc, i.seq desc limit $2`)
const listedAfter = statement<GitImportRow, Cursor & { repositoryId: string; limit: number }>(`
  select ${columns} from git_import i
   where i.repository_id = :repositoryId and (i.created_on, i.seq) < (:createdOn::timestamptz, :seq::bigint)
   order by i.created_on desc, i.seq desc limit :limit`)

/** Newest first. By git_import_list_idx. */
export function listImports(
  db: Db,
  repositoryId: string,
  limit: number,
  after?: Cursor,
): Promise<GitImportRow[]> {
  return after
    ? listedAfter(db, { ...after, repositoryId, limit })
    : listed(db, repositoryId, limit)
}

const newest = statement<GitImportRow>(`
  select n.* from unnest($1::uuid[]) as wanted (id), lateral (
    select ${columns} from git_import i where i.repository_id = wanted.id
     order by i.created_on desc, i.seq desc limit 1
  ) n`)

/** The newest import of each repository that has one. By git_import_list_idx. */
export function listNewestImports(db: Db, repositoryIds: string[]): Promise<GitImportRow[]> {
  return newest(db, repositoryIds)
}

const removed = statement<never>(`
  delete from git_import where id in (
    select i.id from git_import i where i.repository_id = $1 and i.ended_on is not null
     order by i.created_on desc, i.seq desc offset $2)`)

/** Keeps so many of the newest imports of a repository. By git_import_list_idx. */
export async function removeOldImports(db: Db, repositoryId: string, kept: number): Promise<void> {
  await removed(db, repositoryId, kept)
}
