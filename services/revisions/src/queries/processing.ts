import { statement } from '@figbase/kit/db'
import { publishSql } from '@figbase/kit/events'
import { DataType } from '@figbase/proto/revisions'
import type { DataRow, Db, RevisionRow, ThumbnailRow } from '../db/schema.js'
import type { Declared } from '../domain/text-source.js'
import { revisionProcessed } from '../events.js'
import { processRevision } from '../job-names.js'

/** An image of a revision, with the location of its bytes. */
export type ImageData = Pick<DataRow, 'id' | 'type' | 'metadata' | 'is_clean_room' | 'hash'> & {
  size_bytes: number
  is_clone: boolean
  storage: string
  key: string
}

/** What the activation of a revision needs. */
export type RevisionRef = Pick<RevisionRow, 'id' | 'revision_index' | 'created_by'>

export type ProcessingInput = RevisionRef &
  Pick<RevisionRow, 'type' | 'content_version' | 'is_processing' | 'processing_attempts'> & {
    /**
     * An assignment is running, and the processing comes after it. False for an assignment that was refused
     * because its revision id exists already.
     */
    is_being_assigned: boolean
    images: ImageData[]
    /** Hashes of all data, in order. Only for asset revisions. */
    hashes: string[]
    /** Data without extracted text. */
    unread: (Declared & Pick<DataRow, 'id'>)[]
    /** Whether there are updates that catalog may not know yet. A later update has a job of its own. */
    has_updates: boolean
    /** Whether data from before the last update has extracted text. */
    has_texts: boolean
  }

// Version and data must come from one snapshot. The row that `counted` returns may be newer, if the update
// had to wait for another one.
const begun = statement<ProcessingInput>(`
  with counted as (
    update revision
       set processing_attempts = processing_attempts + is_processing::int
     where id = $1
    returning id, processing_attempts
  ), begun as (
    select r.id, r.type, r.content_version, r.revision_index, r.created_by, r.is_processing,
           c.processing_attempts
      from counted c join revision r on r.id = c.id
  )
  select begun.*, coalesce(found.images, '[]') as images, coalesce(found.hashes, '{}') as hashes,
         coalesce(found.unread, '[]') as unread,
         exists (select from assignment a where a.revision_id = begun.id and a.task_id is not null)
           as is_being_assigned,
         exists (select from revision_update u where u.revision_id = begun.id) as has_updates,
         begun.content_version > 1
           and exists (select from extracted_text t where t.revision_id = begun.id) as has_texts
    from begun left join lateral (
      select json_agg(json_build_object(
               'id', d.id, 'type', d.type, 'metadata', d.metadata::text, 'hash', d.hash,
               'is_clean_room', d.is_clean_room, 'size_bytes', d.size_bytes, 'key', b.key,
               'storage', b.storage,
               'is_clone', d.cloned_from is not null
             ) order by d.position)
               filter (where d.type = $2 and (begun.is_processing or $3::boolean)) as images,
             array_agg(d.hash order by d.position)
               filter (where begun.type = 'asset_revision' and (begun.is_processing or $3)) as hashes,
             json_agg(json_build_object('id', d.id, 'type', d.type, 'name', d.name,
               'format', d.metadata ->> 'format', 'path', d.metadata ->> 'path'
             )) filter (where begun.content_version = 1 or not exists (
               select from extracted_text t where t.data_id = d.id)) as unread
        from external_data d join blob b on b.id = d.blob_id
       where d.revision_id = begun.id and d.position is not null
    ) found on true`)

/**
 * Counts one more attempt. Undefined if the revision is gone. The images are in the caller's order. Images
 * and hashes are only present if the revision is being processed, or with `again`. By revision_pkey,
 * external_data_position_key and revision_update_revision_idx.
 */
export async function beginProcessing(
  db: Db,
  id: string,
  again = false,
): Promise<ProcessingInput | undefined> {
  return (await begun(db, id, DataType.IMAGE, again))[0]
}

export type Outcome = {
  /** The id of the event, a UUIDv7. */
  eventId: string
  workspaceId: string
  /** The version of the data that was processed. Newer data is processed by a job of its own. */
  contentVersion: number
  dataHash: string | null
  /** Reasons to show to users, by the id of the data object. */
  errors: Map<string, string>
  /** No attempt has failed before. */
  isFirst: boolean
  thumbnail?: Omit<ThumbnailRow, 'revision_id'>
}

type Ending = Pick<Outcome, 'eventId' | 'workspaceId' | 'contentVersion' | 'dataHash'> & {
  revisionId: string
  imageType: DataType
  /** Undefined if there is no thumbnail. */
  digest: string | undefined
  dataId: string | undefined
  key: string | null | undefined
  width: number | undefined
  height: number | undefined
  likeness: string | undefined
}

/** `noting` is SQL for CTEs that come after `ended`. */
const ending = <Values extends Ending>(noting: string) =>
  statement<RevisionRef, Values>(`
  with ended as (
    update revision r set is_processing = false, data_hash = :dataHash, image_hash = (
             select d.hash from external_data d
              where d.revision_id = r.id and d.type = :imageType and d.position is not null
                and lower(d.metadata ->> 'is_watermarked') is distinct from 'true'
              order by d.cloned_from is not null, d.position limit 1)
     where id = :revisionId and content_version = :contentVersion
    returning id, type, parent_id, revision_index, created_by
  ), kept as (
    insert into thumbnail (revision_id, digest, data_id, key, width, height, likeness)
    select id, :digest, :dataId::uuid, :key, :width::int, :height::int, :likeness::bigint
      from ended where :dataId is not null
    on conflict (revision_id) do update
       set data_id = excluded.data_id, key = excluded.key, width = excluded.width,
           height = excluded.height, digest = excluded.digest, likeness = excluded.likeness
  ), none as (
    delete from thumbnail t using ended e where t.revision_id = e.id and :dataId is null
  ), ${noting} event as (
    ${publishSql(revisionProcessed, {
      id: ':eventId',
      key: 'e.id',
      actor: 'e.created_by',
      requestId: "''",
      payload: {
        revisionId: 'e.id',
        parentId: 'e.parent_id',
        workspaceId: ':workspaceId::text',
        type: "'NODE_TYPE_' || upper(e.type)",
      },
      from: 'ended e',
    })}
  )
  select id, revision_index, created_by from ended`)

const ended = ending<Ending>('')
/** Also records new failures and deletes resolved ones. Needed by one publication in thousands. */
const endedWithFailures = ending<Ending & { failedIds: string[]; reasons: string[] }>(`
  failure as (
    select f.id, f.reason, e.id as revision_id
      from ended e, unnest(:failedIds::uuid[], :reasons::text[]) as f (id, reason)
  ), failed as (
    update external_data d set processing_error = f.reason from failure f
     where d.id = f.id and d.revision_id = f.revision_id
  ), noted as (
    insert into processing_failure (data_id, step, revision_id, reason)
    select id, 'picture', revision_id, reason from failure
    on conflict (data_id, step) do update set reason = excluded.reason, at = now()
  ), mended as (
    delete from processing_failure p using ended e
     where p.revision_id = e.id and p.step = 'picture' and p.data_id <> all(:failedIds)
    returning p.data_id
  ), cleared as (
    update external_data d set processing_error = null from mended m where d.id = m.data_id
  ),`)

/** Writes the outcome, all or nothing. Undefined if the revision is gone or has changed. */
export async function endProcessing(
  db: Db,
  id: string,
  { eventId, workspaceId, contentVersion, dataHash, errors, isFirst, thumbnail }: Outcome,
): Promise<RevisionRef | undefined> {
  const { digest, data_id: dataId, key, width, height, likeness } = thumbnail ?? {}
  const values = {
    revisionId: id,
    contentVersion,
    dataHash,
    imageType: DataType.IMAGE,
    digest,
    dataId,
    key,
    width,
    height,
    likeness: likeness?.toString(),
    eventId,
    workspaceId,
  }
  const failures = { failedIds: [...errors.keys()], reasons: [...errors.values()] }
  const [revision] =
    isFirst && errors.size === 0
      ? await ended(db, values)
      : await endedWithFailures(db, { ...values, ...failures })
  return revision
}

const creation = statement<{ is_silent: boolean | null }>(`
  select (j.payload->>'silent')::boolean as is_silent from job j
   where j.name = '${processRevision.name}' and j.key = $1 and j.state <> 'dead'`)

/** Whether a revision that is not active yet was created silently. By job_key_key. */
export async function isSilentCreation(db: Db, id: string): Promise<boolean> {
  return (await creation(db, id))[0]?.is_silent ?? false
}
