import { statement } from '@figbase/kit/db'
import { publishSql } from '@figbase/kit/events'
import type { Db, ExtractedTextSource } from '../db/schema.js'
import type { Declared } from '../domain/text-source.js'
import { textExtracted } from '../events.js'

/** A data object, the location of its bytes, and what its client declared. */
export type UnreadData = Declared & {
  id: string
  position: number
  size_bytes: bigint
  storage: string
  key: string
}

const unread = statement<UnreadData>(`
  select d.id, d.position, d.type, d.name, d.metadata ->> 'format' as format,
         d.metadata ->> 'path' as path, d.size_bytes, b.storage, b.key
    from external_data d join blob b on b.id = d.blob_id
   where d.revision_id = $1 and d.position > $2
     and not exists (select from extracted_text t where t.data_id = d.id)
     and not exists (select from processing_failure f where f.data_id = d.id and f.step = 'text')
   order by d.position limit $3`)

/**
 * The next data of a revision without extracted text and without a failure, in order. By
 * external_data_position_key.
 */
export function listUnread(
  db: Db,
  revisionId: string,
  afterPosition: number,
  limit: number,
): Promise<UnreadData[]> {
  return unread(db, revisionId, afterPosition, limit)
}

const size = statement<{ bytes: number }>(`
  select coalesce(sum(octet_length(text)), 0)::int as bytes from extracted_text
   where revision_id = $1`)

/** Bytes of all texts of a revision. By extracted_text_revision_idx. */
export async function textBytesOf(db: Db, revisionId: string): Promise<number> {
  return (await size(db, revisionId))[0]?.bytes ?? 0
}

const saved = statement<never>(`
  insert into extracted_text (data_id, revision_id, source, text)
  select d.id, d.revision_id, t.source, t.text
    from unnest($1::uuid[], $2::text[], $3::text[]) as t (data_id, source, text)
    join external_data d on d.id = t.data_id
   where d.position is not null
  on conflict (data_id) do update set source = excluded.source, text = excluded.text`)

export type FoundText = { dataId: string; source: ExtractedTextSource; text: string }

/** Skips data objects that are gone or were replaced. */
export async function saveTexts(db: Db, found: FoundText[]): Promise<void> {
  await saved(
    db,
    found.map(({ dataId }) => dataId),
    found.map(({ source }) => source),
    found.map(({ text }) => text),
  )
}

const failed = statement<never>(`
  insert into processing_failure (data_id, step, revision_id, reason)
  select d.id, 'text', d.revision_id, $2 from external_data d where d.id = $1
  on conflict (data_id, step) do update set reason = excluded.reason, at = now()`)

/** Text extraction skips this data object from now on. `reason` is for users. */
export async function recordTextFailure(db: Db, dataId: string, reason: string): Promise<void> {
  await failed(db, dataId, reason)
}

const ended = statement<never>(`
  with gone as (
    delete from extracted_text t using external_data d
     where t.revision_id = $1 and d.id = t.data_id and d.position is null
    returning t.data_id
  )
  ${publishSql(textExtracted, {
    id: '$2',
    key: 'r.id',
    actor: 'r.created_by',
    requestId: "''",
    payload: {
      revisionId: 'r.id',
      parentId: 'r.parent_id',
      workspaceId: '$3::text',
      type: "'NODE_TYPE_' || upper(r.type)",
    },
    from: `revision r
     where r.id = $1
       and (exists (select from gone) or exists (select from extracted_text where revision_id = $1))`,
  })}`)

/** Deletes the texts of replaced data, and publishes the event if the revision has or had texts. */
export async function finishTexts(
  db: Db,
  revisionId: string,
  { eventId, workspaceId }: { eventId: string; workspaceId: string },
): Promise<void> {
  await ended(db, revisionId, eventId, workspaceId)
}

export type StoredText = {
  revision_id: string
  data_id: string
  source: ExtractedTextSource
  text: string
}

const ids = statement<{ data_id: string }>(`
  select t.data_id
    from unnest($1::uuid[]) with ordinality as r (id, place)
    join extracted_text t on t.revision_id = r.id
    join external_data d on d.id = t.data_id
   where d.position is not null
   order by r.place, d.position`)

/**
 * The data objects with text, in the order of the revisions and of their data. By
 * extracted_text_revision_idx.
 */
export async function listDataWithText(db: Db, revisionIds: string[]): Promise<string[]> {
  return (await ids(db, revisionIds)).map((row) => row.data_id)
}

const some = statement<StoredText>(`
  select t.revision_id, t.data_id, t.source, t.text
    from unnest($1::uuid[]) with ordinality as d (id, place)
    join extracted_text t on t.data_id = d.id
   order by d.place`)

/** The texts that still exist, in this order. By extracted_text_pkey. */
export function listTexts(db: Db, dataIds: string[]): Promise<StoredText[]> {
  return some(db, dataIds)
}
