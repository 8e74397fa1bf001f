import { statement } from '@figbase/kit/db'
import { enqueueSql } from '@figbase/kit/jobs'
import type { UseType } from '@figbase/proto/revisions'
import type { Db, NewData, RevisionRow, RevisionType } from '../db/schema.js'
import type { Link } from '../domain/links.js'
import { processRevision } from '../job-names.js'
import { type BlobLists, blobLists, claimBlobsSql, endUploadSql, type NewBlob } from './blobs.js'
import { type DataLists, dataLists } from './data.js'
import { insertLinksSql } from './links.js'
import { allUsableSql, endUsedSql, usableUploadsSql } from './resumable-uploads.js'
import { summaryColumns } from './revisions.js'

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
  | 'import_source'
> & { metadata: string }

export type CommittedRevision = RevisionRow & {
  /** Some bytes were stored already, so their staged copies must be removed. */
  leftovers: boolean
}

type Values = BlobLists &
  DataLists & {
    /** Null if nothing was staged. */
    uploadId: string | null
    stagedKeys: string[]
    storage: string
    /** Ids of resumable uploads. */
    uses: string[]
    revisionId: string
    type: RevisionType
    parentId: string
    metadata: string
    isCleanRoom: boolean
    isProcessing: boolean
    author: string
    createdOn: string
    description: string | null
    shortId: string | null
    importSource: string | null
    assetRevisionIds: string[]
    useTypes: UseType[]
    payload: string
    workspaceId: string
  }

/** The counter stays locked until the commit, so that indexes have no gaps. */
const committed = statement<CommittedRevision, Values>(`
  with mine as materialized (
    select u.id from upload u where u.id = :uploadId::uuid and u.state = 'open' for update
  ), ${usableUploadsSql}, drawn as (
    insert into revision_counter as c (parent_id, next_index)
    select :parentId::uuid, 1
     where (:uploadId::uuid is null or exists (select from mine)) and ${allUsableSql}
    on conflict (parent_id) do update set next_index = c.next_index + 1
    returning c.next_index - 1 as revision_index
  ), revision as (
    insert into revision (id, parent_id, revision_index, metadata, is_clean_room, is_processing,
                          created_by, created_on, type, description, description_author,
                          description_written_on, short_id, import_source)
    select :revisionId::uuid, :parentId::uuid, d.revision_index, :metadata::json,
           :isCleanRoom::boolean, :isProcessing::boolean, :author::text, :createdOn::timestamptz,
           :type, :description::text, case when :description::text is not null then :author::text end,
           case when :description::text is not null then :createdOn::timestamptz end, :shortId::text,
           :importSource::text
      from drawn d
    returning ${summaryColumns}
  ), claimed as (
    ${claimBlobsSql('drawn')}
  ), data as (
    insert into external_data (id, revision_id, position, name, type, metadata, is_clean_room,
                               blob_id, size_bytes, hash, created_by, created_on)
    select o.id, r.id, o.position - 1, o.name, o.type, o.metadata::json, o.is_clean_room, b.id, o.size,
           o.digest, r.created_by, r.created_on
      from revision r,
           unnest(:dataIds::uuid[], :dataNames::text[], :dataTypes::smallint[],
                  :dataMetadata::text[], :dataCleanRoom::boolean[], :dataSizes::bigint[], :dataHashes::text[])
             with ordinality as o (id, name, type, metadata, is_clean_room, size, digest, position)
      join claimed b on b.digest = o.digest
  ), linked as (
    ${insertLinksSql('revision', 'r.id')}
  ), ${endUsedSql('drawn')}
  , ${endUploadSql}
  , queued as materialized (
    select ${enqueueSql(processRevision, { key: 'r.id', payload: ':payload', workspaceId: ':workspaceId' })}
      from revision r
  )
  select r.*, s.leftovers, q.enqueue_job from revision r, staged s, queued q`)

/**
 * Writes a revision with its data and its job, and ends its upload. Undefined if the upload was discarded
 * meanwhile, or one of the resumable uploads in `uses` has ended. `uploadId` is null if nothing was staged.
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
  { storage, uses }: { storage(): string; uses: string[] },
): Promise<CommittedRevision | undefined> {
  const { type, metadata, description } = revision
  const [row] = await committed(db, {
    uploadId,
    stagedKeys,
    storage: storage(),
    uses,
    revisionId: revision.id,
    type,
    parentId: revision.parent_id,
    metadata,
    isCleanRoom: revision.is_clean_room,
    isProcessing: revision.is_processing,
    author: revision.created_by,
    createdOn: revision.created_on,
    description,
    shortId: revision.short_id,
    importSource: revision.import_source,
    ...blobLists(blobs),
    ...dataLists(data),
    assetRevisionIds: links.map((link) => link.assetRevisionId),
    useTypes: links.map((link) => link.useType),
    payload: JSON.stringify(job.payload),
    workspaceId: job.workspaceId,
  })
  return row
}
