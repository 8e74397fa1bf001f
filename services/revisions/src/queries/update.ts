import { statement } from '@figbase/kit/db'
import type { UseType } from '@figbase/proto/revisions'
import type { Db, NewData } from '../db/schema.js'
import type { Changes } from '../domain/finish.js'
import type { Link } from '../domain/links.js'
import { type BlobLists, blobLists, claimBlobsSql, endUploadSql, type NewBlob } from './blobs.js'
import { type DataLists, dataLists } from './data.js'
import { insertLinksSql } from './links.js'
import { allUsableSql, endUsedSql, usableUploadsSql } from './resumable-uploads.js'
import { columnsWithMetadata, type RevisionWithMetadata } from './revisions.js'

export type AddedData = Omit<NewData, 'created_by' | 'created_on'>

export type DataChange = {
  moved: { id: string; position: number }[]
  detached: string[]
  added: (AddedData & { position: number })[]
  blobs: NewBlob[]
  stagedKeys: string[]
  storage: string
}

export type Update = {
  /** The id of catalog's reservation. */
  id: string
  revisionId: string
  author: string
  /** The time from catalog, ISO 8601. */
  at: string
  changes: Changes
  /** Undefined if the data does not change. */
  data: DataChange | undefined
  links: Link[] | undefined
  silent: boolean
}

export type Updated = RevisionWithMetadata & {
  updated_on: string
  /** Some bytes were stored already, so their staged copies must be removed. */
  leftovers: boolean
}

type Values = BlobLists &
  DataLists &
  Pick<Update, 'revisionId' | 'author' | 'at' | 'silent'> & {
    /** Null if nothing was staged. */
    uploadId: string | null
    stagedKeys: string[]
    /** Undefined if no data changes. */
    storage: string | undefined
    /** Ids of resumable uploads. */
    uses: string[]
    updateId: string
    reservedForMs: number
    /** Undefined keeps the value. */
    metadata: string | undefined
    isCleanRoom: boolean | undefined
    hasDescription: boolean
    description: string | null | undefined
    descriptionAuthor: string
    hasData: boolean
    movedIds: string[]
    movedPositions: number[]
    detachedIds: string[]
    dataPositions: number[]
    /** Undefined keeps the links. */
    assetRevisionIds: string[] | undefined
    useTypes: UseType[] | undefined
  }

/** Claims blobs like `insertCommitted`. Finds stored data by external_data_pkey. */
const updated = statement<Updated, Values>(`
  with mine as materialized (
    select u.id from upload u where u.id = :uploadId::uuid and u.state = 'open' for update
  ), ${usableUploadsSql}, wanted as materialized (
    select id as revision_id from revision
     where id = :revisionId and (:uploadId::uuid is null or exists (select from mine)) and ${allUsableSql}
       and :at::timestamptz > clock_timestamp() - :reservedForMs::bigint * interval '1 ms'
  ), revision as (
    update revision r
       set version = r.version + 1,
           content_version = r.content_version + :hasData::boolean::int,
           is_processing = r.is_processing or :hasData::boolean,
           processing_attempts = case when :hasData::boolean then 0 else r.processing_attempts end,
           metadata = coalesce(:metadata::json, r.metadata),
           is_clean_room = coalesce(:isCleanRoom::boolean, r.is_clean_room),
           description = case when :hasDescription::boolean then :description else r.description end,
           description_author = case when not :hasDescription::boolean then r.description_author
                                     when :description::text is not null then :descriptionAuthor::text end,
           description_written_on = case when not :hasDescription::boolean then r.description_written_on
                                         when :description::text is not null then :at::timestamptz end
      from wanted w where r.id = w.revision_id
    returning ${columnsWithMetadata}
  ), placed as (
    update external_data d set position = m.position
      from wanted, unnest(:movedIds::uuid[], :movedPositions::int[]) as m (id, position)
     where d.id = m.id
  ), detached as (
    update external_data d set position = null, detached_on = now()
      from wanted
     where d.id = any(:detachedIds::uuid[])
  ), claimed as (
    ${claimBlobsSql('wanted')}
  ), data as (
    insert into external_data (id, revision_id, position, name, type, metadata, is_clean_room,
                               blob_id, size_bytes, hash, created_by, created_on)
    select o.id, w.revision_id, o.position, o.name, o.type, o.metadata::json, o.is_clean_room, b.id, o.size,
           o.digest, :author, :at::timestamptz
      from wanted w,
           unnest(:dataIds::uuid[], :dataPositions::int[], :dataNames::text[], :dataTypes::smallint[],
                  :dataMetadata::text[], :dataCleanRoom::boolean[], :dataSizes::bigint[], :dataHashes::text[])
             as o (id, position, name, type, metadata, is_clean_room, size, digest)
      join claimed b on b.digest = o.digest
  ), unlinked as (
    delete from asset_link l using wanted w
     where l.figure_revision_id = w.revision_id and :assetRevisionIds::uuid[] is not null
       and not exists (
       select from unnest(:assetRevisionIds::uuid[], :useTypes::smallint[]) as n (id, use_type)
        where n.id = l.asset_revision_id and n.use_type = l.use_type)
  ), linked as (
    ${insertLinksSql('wanted', 'r.revision_id')}
  ), noted as (
    insert into revision_update (id, revision_id, author, has_data, silent)
    select :updateId::uuid, w.revision_id, :author, :hasData::boolean, :silent::boolean from wanted w
  ), ${endUsedSql('wanted')}
  , ${endUploadSql}
  select r.*, :at::timestamptz as updated_on, s.leftovers from revision r, staged s`)

/**
 * Writes an update of a locked revision and ends its upload. Undefined if the upload was discarded
 * meanwhile, one of the resumable uploads in `uses` has ended, or the reservation is so old that catalog
 * may have settled it. `uploadId` is null if nothing was staged.
 */
export async function insertUpdate(
  tx: Db,
  uploadId: string | null,
  update: Update,
  reservedForMs: number,
  uses: string[],
): Promise<Updated | undefined> {
  const { id, revisionId, author, at, changes, data, links, silent } = update
  const { metadata, isCleanRoom, description, descriptionAuthor = author } = changes
  const { moved = [], detached = [], added = [], blobs = [], stagedKeys = [], storage } = data ?? {}
  const [row] = await updated(tx, {
    uploadId,
    stagedKeys,
    storage,
    uses,
    updateId: id,
    reservedForMs,
    revisionId,
    author,
    at,
    silent,
    metadata,
    isCleanRoom,
    hasDescription: description !== undefined,
    description,
    descriptionAuthor,
    hasData: data !== undefined,
    movedIds: moved.map((one) => one.id),
    movedPositions: moved.map((one) => one.position),
    detachedIds: detached,
    ...blobLists(blobs),
    ...dataLists(added),
    dataPositions: added.map((one) => one.position),
    assetRevisionIds: links?.map((link) => link.assetRevisionId),
    useTypes: links?.map((link) => link.useType),
  })
  return row
}
