import { enqueueing, statement } from '@figbase/kit'
import type { Db, NewData, RevisionRow } from '../db/schema.js'
import type { BlobClaim } from '../domain/blobs.js'
import type { Link } from '../domain/links.js'
import { processRevision } from '../jobs/process-revision.js'
import type { Upload } from '../upload/upload.js'
import { claiming, endingUpload } from './blobs.js'
import { linking } from './links.js'
import { isAllUsable, usable, usingUp } from './resumable-uploads.js'
import { summary } from './revisions.js'

export type NewRevision = Pick<
  RevisionRow,
  | 'id'
  | 'type'
  | 'parent_id'
  | 'is_clean_room'
  | 'is_processing'
  | 'created_by'
  | 'created_on'
  | 'description'
  | 'short_id'
> & { metadata: string }

export type NewBlob = BlobClaim & { id: string }

export type CommittedRevision = RevisionRow & {
  /** Some bytes were stored already: their staged copies are to be removed. */
  leftovers: boolean
}

/** The index of a revision stays locked from the draw to the commit: indexes have no gaps. */
const committed = statement<CommittedRevision>(`
  with mine as materialized (
    select u.id from upload u where u.id = $1::uuid and u.state = 'open' for update
  ), ${usable('$30')}
  , drawn as (
    insert into revision_counter as c (parent_id, next_index)
    select $3::uuid, 1 where ($1::uuid is null or exists (select from mine)) and ${isAllUsable('$30')}
    on conflict (parent_id) do update set next_index = c.next_index + 1
    returning c.next_index - 1 as revision_index
  ), revision as (
    insert into revision (id, parent_id, revision_index, metadata, is_clean_room, is_processing,
                          created_by, created_on, type, description, description_author,
                          description_written_on, short_id)
    select $2::uuid, $3::uuid, d.revision_index, $4::json, $5::boolean, $6::boolean, $7::text,
           $8::timestamptz, $24, $25::text, case when $25::text is not null then $7::text end,
           case when $25::text is not null then $8::timestamptz end, $26::text
      from drawn d
    returning ${summary}
  ), claimed as (
    ${claiming('drawn', { ids: '$9', storage: '$29', keys: '$10', digests: '$11', sizes: '$12', refs: '$13' })}
  ), data as (
    insert into external_data (id, revision_id, position, name, type, metadata, is_clean_room,
                               blob_id, size_bytes, hash, created_by, created_on)
    select o.id, r.id, o.position - 1, o.name, o.type, o.metadata::json, o.is_clean_room, b.id, o.size,
           o.digest, r.created_by, r.created_on
      from revision r,
           unnest($14::uuid[], $15::text[], $16::smallint[], $17::text[], $18::boolean[],
                  $19::bigint[], $20::text[])
             with ordinality as o (id, name, type, metadata, is_clean_room, size, digest, position)
      join claimed b on b.digest = o.digest
  ), linked as (
    ${linking('revision', { figureRevisionId: 'r.id', assetRevisionIds: '$27', useTypes: '$28' })}
  ), ${usingUp('drawn')}
  , ${endingUpload('$21')}
  , queued as materialized (
    select ${enqueueing(processRevision, { key: 'r.id', payload: '$22', workspaceId: '$23' })}
      from revision r
  )
  select r.*, s.leftovers, q.enqueue_job from revision r, staged s, queued q`)

/**
 * Writes a revision with its data and its job, and ends its upload; undefined when the upload was discarded
 * meanwhile, or one of the resumable uploads in `uses` has ended. Without an upload (null), nothing was staged.
 */
export async function insertCommitted(
  db: Db,
  uploadId: string | null,
  revision: NewRevision,
  blobs: NewBlob[],
  data: Omit<NewData, 'created_by' | 'created_on'>[],
  links: Link[],
  stagedKeys: string[],
  job: { payload: object; workspaceId: string },
  { storage, uses }: Pick<Upload, 'storage' | 'uses'>,
): Promise<CommittedRevision | undefined> {
  const { id, type, parent_id, metadata, is_clean_room, is_processing } = revision
  const { created_by, created_on, description } = revision
  const [row] = await committed(
    db,
    uploadId,
    ...[id, parent_id, metadata, is_clean_room, is_processing, created_by, created_on],
    blobs.map((blob) => blob.id),
    blobs.map((blob) => blob.key),
    blobs.map((blob) => blob.digest),
    blobs.map((blob) => blob.size.toString()),
    blobs.map((blob) => blob.refs),
    data.map((one) => one.id),
    data.map((one) => one.name),
    data.map((one) => one.type),
    data.map((one) => one.metadata),
    data.map((one) => one.is_clean_room),
    data.map((one) => one.size_bytes.toString()),
    data.map((one) => one.hash),
    stagedKeys,
    JSON.stringify(job.payload),
    job.workspaceId,
    type,
    description,
    revision.short_id,
    links.map((link) => link.assetRevisionId),
    links.map((link) => link.useType),
    storage(),
    uses,
  )
  return row
}
