import { statement } from '@figbase/kit'
import type { Db, NewData } from '../db/schema.js'
import type { Changes } from '../domain/finish.js'
import type { Link } from '../domain/links.js'
import { claiming, endingUpload } from './blobs.js'
import type { NewBlob } from './commit.js'
import { linking } from './links.js'
import { isAllUsable, usable, usingUp } from './resumable-uploads.js'
import { type RevisionWithMetadata, whole } from './revisions.js'

export type AddedData = Omit<NewData, 'created_by' | 'created_on'>

/** What happens to the data of a revision. */
export type DataChange = {
  moved: { id: string; position: number }[]
  detached: string[]
  added: (AddedData & { position: number })[]
  blobs: NewBlob[]
  stagedKeys: string[]
  storage: string
}

export type Update = {
  /** Of catalog's reservation. */
  id: string
  revisionId: string
  author: string
  /** Catalog's, ISO 8601. */
  at: string
  changes: Changes
  /** Undefined: it stays as it is. */
  data: DataChange | undefined
  links: Link[] | undefined
  silent: boolean
}

export type Updated = RevisionWithMetadata & {
  updated_on: string
  /** Some bytes were stored already: their staged copies are to be removed. */
  leftovers: boolean
}

/** Blobs are claimed as in `insertCommitted`. Data that is there is found by external_data_pkey. */
const updated = statement<Updated>(`
  with mine as materialized (
    select u.id from upload u where u.id = $1::uuid and u.state = 'open' for update
  ), ${usable('$33')}
  , wanted as materialized (
    select id as revision_id from revision
     where id = $2 and ($1::uuid is null or exists (select from mine)) and ${isAllUsable('$33')}
       and $4::timestamptz > clock_timestamp() - $31::bigint * interval '1 ms'
  ), revision as (
    update revision r
       set version = r.version + 1,
           content_version = r.content_version + $5::boolean::int,
           is_processing = r.is_processing or $5::boolean,
           processing_attempts = case when $5::boolean then 0 else r.processing_attempts end,
           metadata = coalesce($6::json, r.metadata),
           is_clean_room = coalesce($7::boolean, r.is_clean_room),
           description = case when $8::boolean then $9 else r.description end,
           description_author = case when not $8::boolean then r.description_author
                                     when $9::text is not null then $3::text end,
           description_written_on = case when not $8::boolean then r.description_written_on
                                         when $9::text is not null then $4::timestamptz end
      from wanted w where r.id = w.revision_id
    returning ${whole}
  ), placed as (
    update external_data d set position = m.position
      from wanted, unnest($10::uuid[], $11::int[]) as m (id, position)
     where d.id = m.id
  ), detached as (
    update external_data d set position = null, detached_on = now()
      from wanted
     where d.id = any($12::uuid[])
  ), claimed as (
    ${claiming('wanted', { ids: '$13', storage: '$32', keys: '$14', digests: '$15', sizes: '$16', refs: '$17' })}
  ), data as (
    insert into external_data (id, revision_id, position, name, type, metadata, is_clean_room,
                               blob_id, size_bytes, hash, created_by, created_on)
    select o.id, w.revision_id, o.position, o.name, o.type, o.metadata::json, o.is_clean_room, b.id, o.size,
           o.digest, $3, $4::timestamptz
      from wanted w,
           unnest($18::uuid[], $19::int[], $20::text[], $21::smallint[], $22::text[], $23::boolean[],
                  $24::bigint[], $25::text[])
             as o (id, position, name, type, metadata, is_clean_room, size, digest)
      join claimed b on b.digest = o.digest
  ), unlinked as (
    delete from asset_link l using wanted w
     where l.figure_revision_id = w.revision_id and $27::uuid[] is not null and not exists (
       select from unnest($27::uuid[], $28::smallint[]) as n (id, use_type)
        where n.id = l.asset_revision_id and n.use_type = l.use_type)
  ), linked as (
    ${linking('wanted', { figureRevisionId: 'r.revision_id', assetRevisionIds: '$27', useTypes: '$28' })}
  ), noted as (
    insert into revision_update (id, revision_id, author, has_data, silent)
    select $29::uuid, w.revision_id, $3, $5::boolean, $30::boolean from wanted w
  ), ${usingUp('wanted')}
  , ${endingUpload('$26')}
  select r.*, $4::timestamptz as updated_on, s.leftovers from revision r, staged s`)

/**
 * Writes an update of a revision that is locked, and ends its upload; undefined when the upload was
 * discarded meanwhile, one of the resumable uploads in `uses` has ended, or the reservation is so old that catalog
 * may have settled it. Without an upload (null), nothing was staged.
 */
export async function insertUpdate(
  tx: Db,
  uploadId: string | null,
  update: Update,
  reservedForMs: number,
  uses: string[],
): Promise<Updated | undefined> {
  const { id, revisionId, author, at, changes, data, links, silent } = update
  const { metadata, isCleanRoom, description } = changes
  const { moved = [], detached = [], added = [], blobs = [], stagedKeys = [], storage } = data ?? {}
  const [row] = await updated(
    tx,
    ...[uploadId, revisionId, author, at, data !== undefined],
    ...[metadata ?? null, isCleanRoom ?? null, description !== undefined, description ?? null],
    moved.map((one) => one.id),
    moved.map((one) => one.position),
    detached,
    blobs.map((blob) => blob.id),
    blobs.map((blob) => blob.key),
    blobs.map((blob) => blob.digest),
    blobs.map((blob) => blob.size.toString()),
    blobs.map((blob) => blob.refs),
    added.map((one) => one.id),
    added.map((one) => one.position),
    added.map((one) => one.name),
    added.map((one) => one.type),
    added.map((one) => one.metadata),
    added.map((one) => one.is_clean_room),
    added.map((one) => one.size_bytes.toString()),
    added.map((one) => one.hash),
    stagedKeys,
    links?.map((link) => link.assetRevisionId) ?? null,
    links?.map((link) => link.useType) ?? null,
    id,
    silent,
    reservedForMs,
    storage,
    uses,
  )
  return row
}
