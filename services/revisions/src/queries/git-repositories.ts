import { statement } from '@figbase/kit/db'
import type { Db, GitRepositoryRow } from '../db/schema.js'

const columns = `
  r.id, r.seq, r.target_id, r.target_type, r.workspace_id, r.url, r.branch, r.token_sealed, r.ssh_key_id, r.include,
  r.exclude, r.schedule, r.next_import_on, r.host_keys, r.host_key_fingerprints, r.push_secret_sealed,
  r.imported_commit, r.created_by, r.created_on, r.updated_on`

const locked = statement<never>(`select pg_advisory_xact_lock(hashtext('repositories of ' || $1))`)

/** Until the end of the transaction, nobody else adds a repository to the workspace. */
export async function lockWorkspace(tx: Db, workspaceId: string): Promise<void> {
  await locked(tx, workspaceId)
}

const lockedOne = statement<{ id: string }>(
  'select id from git_repository where id = $1 for update',
)

/** Locks the repository until the transaction ends. False if it is gone. */
export async function lockRepository(tx: Db, id: string): Promise<boolean> {
  return (await lockedOne(tx, id)).length > 0
}

export type NewGitRepository = Pick<
  GitRepositoryRow,
  | 'id'
  | 'target_id'
  | 'target_type'
  | 'workspace_id'
  | 'url'
  | 'branch'
  | 'token_sealed'
  | 'ssh_key_id'
  | 'include'
  | 'exclude'
  | 'schedule'
  | 'next_import_on'
  | 'push_secret_sealed'
  | 'created_by'
>

const inserted = statement<GitRepositoryRow, NewGitRepository & { max: number }>(`
  with siblings as (
    select count(*) as number from git_repository where workspace_id = :workspace_id::uuid
  )
  insert into git_repository as r (id, target_id, target_type, workspace_id, url, branch, token_sealed, ssh_key_id,
    include, exclude, schedule, next_import_on, push_secret_sealed, created_by)
  select :id::uuid, :target_id::uuid, :target_type, :workspace_id::uuid, :url, :branch, :token_sealed::bytea,
         :ssh_key_id::uuid, :include::text[], :exclude::text[], :schedule, :next_import_on::timestamptz,
         :push_secret_sealed::bytea, :created_by
    from siblings s where s.number < :max
  returning ${columns}`)

/** Undefined if its workspace, which must be locked, already has the maximum number. */
export async function insertRepository(
  db: Db,
  repository: NewGitRepository,
  max: number,
): Promise<GitRepositoryRow | undefined> {
  return (await inserted(db, { ...repository, max }))[0]
}

const ofTarget = statement<GitRepositoryRow>(`
  select ${columns} from git_repository r where r.target_id = $1 order by r.seq limit $2`)

/** By git_repository_target_idx. */
export function listRepositories(
  db: Db,
  targetId: string,
  limit: number,
): Promise<GitRepositoryRow[]> {
  return ofTarget(db, targetId, limit)
}

const found = statement<GitRepositoryRow>(`select ${columns} from git_repository r where r.id = $1`)

export async function findRepository(db: Db, id: string): Promise<GitRepositoryRow | undefined> {
  return (await found(db, id))[0]
}

/** Null members are not changed. */
export type RepositoryChanges = {
  url: string | null
  branch: string | null
  tokenSealed: Buffer | null
  /** Empty removes it. */
  sshKeyId: string | null
  include: string[] | null
  exclude: string[] | null
  schedule: string | null
  /** Only with a schedule. */
  nextImportOn: string | null
  forgetsHostKeys: boolean
}

// What was imported before another branch or URL says nothing about the new one.
const updated = statement<GitRepositoryRow, RepositoryChanges & { id: string }>(`
  update git_repository r
     set url = coalesce(:url, r.url), branch = coalesce(:branch, r.branch),
         token_sealed = coalesce(:tokenSealed::bytea, r.token_sealed),
         ssh_key_id = case when :sshKeyId::text is null then r.ssh_key_id else nullif(:sshKeyId::text, '')::uuid end,
         include = coalesce(:include::text[], r.include), exclude = coalesce(:exclude::text[], r.exclude),
         schedule = coalesce(:schedule, r.schedule),
         next_import_on = case when :schedule::text is null then r.next_import_on
                               else :nextImportOn::timestamptz end,
         host_keys = case when :forgetsHostKeys::boolean then '' else r.host_keys end,
         host_key_fingerprints = case when :forgetsHostKeys::boolean then '{}' else r.host_key_fingerprints end,
         updated_on = now()
   where r.id = :id
  returning ${columns}`)

export async function updateRepository(
  db: Db,
  id: string,
  changes: RepositoryChanges,
): Promise<GitRepositoryRow | undefined> {
  return (await updated(db, { ...changes, id }))[0]
}

const rotated = statement<GitRepositoryRow>(`
  update git_repository r set push_secret_sealed = $2::bytea, updated_on = now() where r.id = $1
  returning ${columns}`)

export async function replacePushSecret(
  db: Db,
  id: string,
  sealed: Buffer,
): Promise<GitRepositoryRow | undefined> {
  return (await rotated(db, id, sealed))[0]
}

const deleted = statement<never>('delete from git_repository where id = $1')

/** With its imports and slots. */
export async function deleteRepository(db: Db, id: string): Promise<void> {
  await deleted(db, id)
}

const owners = statement<Pick<GitRepositoryRow, 'id' | 'created_by'>>(`
  select r.id, r.created_by from git_repository r where r.id > $1 order by r.id limit $2`)

/** By git_repository_pkey. */
export function listOwners(db: Db, afterId: string, limit: number) {
  return owners(db, afterId, limit)
}

const deletedAll = statement<never>('delete from git_repository where id = any($1::uuid[])')

/** With their imports and slots. */
export async function deleteRepositories(db: Db, ids: string[]): Promise<void> {
  await deletedAll(db, ids)
}

const deletedOf = statement<never>(`
  delete from git_repository where target_id = any($1::uuid[])`)

/** By git_repository_target_idx. */
export async function deleteRepositoriesOf(db: Db, targetIds: string[]): Promise<void> {
  await deletedOf(db, targetIds)
}

const pinned = statement<never>(`
  update git_repository set host_keys = $2, host_key_fingerprints = $3::text[]
   where id = $1 and host_keys = ''`)

/** Stores the keys of the server at the first use. */
export async function pinHostKeys(
  db: Db,
  id: string,
  hostKeys: string,
  fingerprints: string[],
): Promise<void> {
  await pinned(db, id, hostKeys, fingerprints)
}

const imported = statement<never>('update git_repository set imported_commit = $2 where id = $1')

export async function setImportedCommit(db: Db, id: string, commitId: string): Promise<void> {
  await imported(db, id, commitId)
}

const unscheduled = statement<never>(`
  update git_repository set schedule = '', next_import_on = null where id = $1`)

export async function endSchedule(db: Db, id: string): Promise<void> {
  await unscheduled(db, id)
}

const due = statement<GitRepositoryRow>(`
  select ${columns} from git_repository r where r.next_import_on <= now() order by r.next_import_on limit $1`)

/** By git_repository_due_idx. */
export function listDue(db: Db, limit: number): Promise<GitRepositoryRow[]> {
  return due(db, limit)
}

const postponed = statement<{ id: string }>(`
  update git_repository set next_import_on = $3::timestamptz
   where id = $1 and next_import_on = $2::timestamptz returning id`)

/** False if another process did it, or the schedule has changed. */
export async function postpone(
  db: Db,
  { id, next_import_on }: Pick<GitRepositoryRow, 'id' | 'next_import_on'>,
  next: string | null,
): Promise<boolean> {
  return (await postponed(db, id, next_import_on, next)).length > 0
}
