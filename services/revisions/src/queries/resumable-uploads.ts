import { statement } from '@figbase/kit/db'
import { processLockClass } from '../db/process-lock.js'
import type { Db } from '../db/schema.js'

export type ResumableUpload = {
  id: string
  owner: string
  workspace_id: string
  target_id: string
  target_type: number
  metadata: string
  /** Null if it is not known yet. */
  length_bytes: bigint | null
  offset_bytes: bigint
  segments: number
  /** The key that a direct upload is written to. */
  direct_key: string | null
  /** The call that appends now. */
  append_id: string | null
  /** The last request that asked to take over the upload. */
  asked_id: string | null
  expires_on: string
}

const columns = `u.id, u.owner, u.workspace_id, u.target_id, u.target_type, u.metadata, u.length_bytes,
  u.offset_bytes, u.segments, u.direct_key, u.append_id, u.asked_id,
  u.expires_on`

/** A process, and its running calls that append. */
export type Appender = { instance: number; appends: string[] }

/**
 * SQL for whether no call appends: the call has ended without recording it, or its process is gone and so
 * its lock is free.
 */
const isIdle = ({ instance, appends }: Record<keyof Appender, string>) => `
  case when u.append_id is null then true
       when u.append_instance = ${instance}::int then not u.append_id = any(${appends}::uuid[])
       else pg_try_advisory_xact_lock_shared(${processLockClass}, u.append_instance) end`

const locked = statement<never>(
  `select pg_advisory_xact_lock(hashtext('figbase uploads of ' || $1), hashtext($2))`,
)

/** Until the transaction ends, no other upload of this user or in this workspace can begin. */
export async function lockBeginning(tx: Db, owner: string, workspaceId: string): Promise<void> {
  await locked(tx, 'user', owner)
  await locked(tx, 'workspace', workspaceId)
}

const counted = statement<{ n: number }>(
  `select count(*)::int as n from resumable_upload where owner = $1 and state = 'open'`,
)

/** By resumable_upload_owner_idx. */
export async function countOpen(db: Db, owner: string): Promise<number> {
  return (await counted(db, owner))[0]?.n ?? 0
}

const declared = statement<{ bytes: bigint }>(`
  select coalesce(sum(coalesce(length_bytes, offset_bytes)), 0)::bigint as bytes
    from resumable_upload
   where workspace_id = $1 and state = 'open' and id is distinct from $2::uuid`)

/**
 * The bytes that the open uploads of a workspace will have, except those of one upload. By
 * resumable_upload_workspace_idx.
 */
export async function declaredBytes(db: Db, workspaceId: string, except?: string): Promise<bigint> {
  return (await declared(db, workspaceId, except ?? null))[0]?.bytes ?? 0n
}

export type NewResumableUpload = Omit<
  ResumableUpload,
  'offset_bytes' | 'segments' | 'append_id' | 'asked_id' | 'expires_on'
>

type Inserted = Pick<NewResumableUpload, 'id' | 'owner' | 'metadata'> & {
  workspaceId: string
  targetId: string
  targetType: number
  lengthBytes: string | undefined
  directKey: string | null
  expiryMs: number
}

const inserted = statement<ResumableUpload, Inserted>(`
  insert into resumable_upload as u (id, owner, workspace_id, target_id, target_type, metadata, length_bytes,
                                     direct_key, expires_on)
  values (:id, :owner, :workspaceId, :targetId, :targetType, :metadata, :lengthBytes, :directKey,
          now() + :expiryMs * interval '1 ms')
  returning ${columns}`)

export async function insertResumable(
  db: Db,
  upload: NewResumableUpload,
  expiryMs: number,
): Promise<ResumableUpload> {
  const { id, owner, metadata } = upload
  const [row] = await inserted(db, {
    id,
    owner,
    metadata,
    workspaceId: upload.workspace_id,
    targetId: upload.target_id,
    targetType: upload.target_type,
    lengthBytes: upload.length_bytes?.toString(),
    directKey: upload.direct_key,
    expiryMs,
  })
  if (!row) throw new Error('inserting an upload returned no row')
  return row
}

const found = statement<ResumableUpload>(`
  select ${columns} from resumable_upload u
   where u.id = any($1::uuid[]) and u.owner = $2 and ($3::uuid is null or u.workspace_id = $3)
     and u.state = 'open' and u.expires_on > now()`)

/**
 * Those of the uploads that belong to the caller, are open and not expired. A `workspaceId` limits them to
 * one workspace, for an API key. By resumable_upload_pkey.
 */
export function listResumable(
  db: Db,
  ids: string[],
  owner: string,
  workspaceId: string | null,
): Promise<ResumableUpload[]> {
  return found(db, ids, owner, workspaceId)
}

type Asked = { id: string; owner: string; workspaceId: string | null; askId: string }

const asked = statement<ResumableUpload, Asked>(`
  update resumable_upload u set asked_id = :askId
   where u.id = :id and u.owner = :owner and (:workspaceId::uuid is null or u.workspace_id = :workspaceId)
     and u.state = 'open' and u.expires_on > now()
  returning ${columns}`)

/**
 * Records a request that takes over one of the uploads that `listResumable` lists. Earlier requests can
 * then not begin to append.
 */
export async function requestResumable(
  db: Db,
  id: string,
  owner: string,
  workspaceId: string | null,
  askId: string,
): Promise<ResumableUpload | undefined> {
  return (await asked(db, { id, owner, workspaceId, askId }))[0]
}

type Appending = Appender & {
  id: string
  appendId: string
  offset: string
  length: string | undefined
  askId: string | undefined
}

const appending = statement<ResumableUpload, Appending>(`
  update resumable_upload u
     set append_id = :appendId, append_instance = :instance,
         length_bytes = coalesce(u.length_bytes, :length::bigint)
   where u.id = :id and u.state = 'open' and u.direct_key is null and u.offset_bytes = :offset
     and (:askId::uuid is null or u.asked_id = :askId)
     and ${isIdle({ instance: ':instance', appends: ':appends' })}
  returning ${columns}`)

/**
 * Only one call appends at a time. Undefined if another call appends or has requested the upload, the
 * offset differs, or the upload is gone.
 */
export async function beginAppend(
  db: Db,
  id: string,
  append: { id: string; offset: bigint; length: bigint | undefined; askId: string | undefined },
  { instance, appends }: Appender,
): Promise<ResumableUpload | undefined> {
  const { offset, length, askId } = append
  const [row] = await appending(db, {
    id,
    appendId: append.id,
    offset: offset.toString(),
    length: length?.toString(),
    askId,
    instance,
    appends,
  })
  return row
}

export type Segment = { offset_bytes: bigint; key: string; size_bytes: bigint; digest: string }

type Grown = Pick<Segment, 'key' | 'digest'> & {
  id: string
  appendId: string
  sizeBytes: string
  expiryMs: number
}

const grown = statement<ResumableUpload, Grown>(`
  with u as (
    update resumable_upload u
       set offset_bytes = u.offset_bytes + :sizeBytes, segments = u.segments + 1,
           expires_on = now() + :expiryMs * interval '1 ms'
     where u.id = :id and u.append_id = :appendId and u.state = 'open'
    returning ${columns}
  ), added as (
    insert into upload_segment (upload_id, offset_bytes, key, size_bytes, digest)
    select u.id, u.offset_bytes - :sizeBytes, :key, :sizeBytes, :digest from u
  )
  select ${columns} from u`)

/** Adds a stored segment. Undefined if the upload has ended, or another call took it over. */
export async function addSegment(
  db: Db,
  id: string,
  appendId: string,
  segment: Omit<Segment, 'offset_bytes'>,
  expiryMs: number,
): Promise<ResumableUpload | undefined> {
  const { key, digest } = segment
  const sizeBytes = segment.size_bytes.toString()
  return (await grown(db, { id, appendId, key, sizeBytes, digest, expiryMs }))[0]
}

const appended = statement<{ state: string }>(`
  update resumable_upload set append_id = null, append_instance = null
   where id = $1 and append_id = $2 returning state`)

/** Whether the upload has ended meanwhile. */
export async function endAppend(db: Db, id: string, appendId: string): Promise<boolean> {
  return (await appended(db, id, appendId))[0]?.state === 'ended'
}

const appendedTo = statement<ResumableUpload & { is_idle: boolean }>(`
  select ${columns}, ${isIdle({ instance: '$2', appends: '$3' })} as is_idle
    from resumable_upload u where u.id = $1 and u.state = 'open'`)

/**
 * Also returns whether no call appends any more. Undefined if the upload has ended. By
 * resumable_upload_pkey.
 */
export async function findWithAppend(
  db: Db,
  id: string,
  { instance, appends }: Appender,
): Promise<(ResumableUpload & { is_idle: boolean }) | undefined> {
  return (await appendedTo(db, id, instance, appends))[0]
}

const taken = statement<ResumableUpload>(`
  update resumable_upload u set append_id = null, append_instance = null
   where u.id = $1 and u.append_id = $2 and u.state = 'open'
  returning ${columns}`)

/** Prevents a call from adding segments. Undefined if the call has ended by itself. */
export async function releaseAppend(
  db: Db,
  id: string,
  appendId: string,
): Promise<ResumableUpload | undefined> {
  return (await taken(db, id, appendId))[0]
}

const released = statement<never>(`
  update resumable_upload set append_id = null, append_instance = null
   where id = $1 and append_id = $2 and append_instance = $3`)

/** Releases an upload from a call of this process that could not record its end. */
export async function releaseLost(
  db: Db,
  id: string,
  appendId: string,
  instance: number,
): Promise<void> {
  await released(db, id, appendId, instance)
}

const segments = statement<Segment>(`
  select offset_bytes, key, size_bytes, digest from upload_segment
   where upload_id = $1 order by offset_bytes`)

/** In the order of the offsets. By upload_segment_pkey. */
export function listSegments(db: Db, id: string): Promise<Segment[]> {
  return segments(db, id)
}

const terminated = statement<never>(`update resumable_upload set state = 'ended' where id = $1`)

export async function endResumable(db: Db, id: string): Promise<void> {
  await terminated(db, id)
}

const expired = statement<never>(`
  with old as (
    select u.id from resumable_upload u
     where u.state = 'open' and u.expires_on < now() and ${isIdle({ instance: '$1', appends: '$2' })}
     order by u.expires_on limit 1000 for update skip locked
  )
  update resumable_upload u set state = 'ended' from old where u.id = old.id`)

/** Ends at most 1000 uploads. By resumable_upload_expires_idx. */
export async function endExpired(db: Db, { instance, appends }: Appender): Promise<void> {
  await expired(db, instance, appends)
}

const ended = statement<{ id: string }>(`
  select u.id from resumable_upload u where u.state = 'ended' and (u.direct_key is null or u.expires_on < now())
   limit 1000`)

/** Ended uploads to remove now, at most 1000. By resumable_upload_ended_idx. */
export async function listEnded(db: Db): Promise<string[]> {
  return (await ended(db)).map((row) => row.id)
}

const removed = statement<never>(`
  delete from resumable_upload u
   where u.id = $1 and u.state = 'ended' and (u.direct_key is null or u.expires_on < now())
     and ${isIdle({ instance: '$2', appends: '$3' })}`)

/** Does nothing while a call appends, or the client may still write the object of a direct upload. */
export async function deleteEnded(
  db: Db,
  id: string,
  { instance, appends }: Appender,
): Promise<void> {
  await removed(db, id, instance, appends)
}

/** SQL that locks those of the uploads `:uses` that are open and complete. */
export const usableUploadsSql = `usable as materialized (
    select r.id from resumable_upload r
     where r.id = any(:uses::uuid[]) and r.state = 'open'
       and (r.direct_key is not null or r.offset_bytes = r.length_bytes)
     order by r.id for update
  )`

/** SQL for whether all of `:uses` are usable. */
export const allUsableSql = '(select count(*) from usable) = cardinality(:uses::uuid[])'

/** SQL that ends the used uploads if `from` has its row. */
export const endUsedSql = (from: string): string => `used as (
    update resumable_upload r set state = 'ended' from usable u, ${from} where r.id = u.id
  )`
