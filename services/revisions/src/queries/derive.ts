import { statement } from '@figbase/kit/db'
import { enqueueSql } from '@figbase/kit/jobs'
import type { Db, LinkRow, RevisionRow } from '../db/schema.js'
import { processRevision } from '../job-names.js'
import type { NewRevision } from './commit.js'
import { insertLinksSql } from './links.js'
import { summaryColumns } from './revisions.js'

/** A new data object, and the one that it clones. */
export type Clone = { id: string; cloned_from: string }

type Values = {
  revisionId: string
  parentId: string
  metadata: string
  isCleanRoom: boolean
  isProcessing: boolean
  author: string
  createdOn: string
  shortId: string | null
  derivedFrom: string
  /** The data objects to clone, in the order of their clones. */
  sourceIds: string[]
  cloneIds: string[]
  assetRevisionIds: string[]
  useTypes: number[]
  payload: string
  workspaceId: string
}

/**
 * Locks the cloned rows so that they are not purged meanwhile. Then takes the index, then claims the blobs
 * in the order of their digests, like a creation does: so both wait instead of deadlocking.
 */
const derived = statement<RevisionRow, Values>(`
  with source as materialized (
    select d.id, d.name, d.type, d.metadata, d.is_clean_room, d.blob_id, d.size_bytes, d.hash
      from external_data d where d.id = any(:sourceIds::uuid[])
       for key share of d
  ), drawn as (
    insert into revision_counter as c (parent_id, next_index)
    select :parentId::uuid, 1 where (select count(*) from source) = cardinality(:sourceIds::uuid[])
    on conflict (parent_id) do update set next_index = c.next_index + 1
    returning c.next_index - 1 as revision_index
  ), made as (
    insert into revision (id, parent_id, revision_index, metadata, is_clean_room, is_processing,
                          created_by, created_on, type, short_id, derived_from)
    select :revisionId::uuid, :parentId::uuid, d.revision_index, :metadata::json,
           :isCleanRoom::boolean, :isProcessing::boolean, :author, :createdOn::timestamptz,
           'figure_revision', :shortId, :derivedFrom::uuid
      from drawn d
    returning ${summaryColumns}
  ), claimed as materialized (
    select b.id from drawn, blob b
     where b.id = any(array(select s.blob_id from source s))
     order by b.digest for update of b
  ), counted as (
    update blob b set refs = b.refs + n.refs
      from claimed c
      join (select s.blob_id, count(*)::int as refs from source s group by s.blob_id) n
        on n.blob_id = c.id
     where b.id = c.id
  ), data as (
    insert into external_data (id, revision_id, position, name, type, metadata, is_clean_room, blob_id,
                               size_bytes, hash, created_by, created_on, cloned_from)
    select n.id, m.id, n.position - 1, s.name, s.type, s.metadata, s.is_clean_room, s.blob_id,
           s.size_bytes, s.hash, m.created_by, m.created_on, s.id
      from made m,
           unnest(:cloneIds::uuid[], :sourceIds::uuid[])
             with ordinality as n (id, cloned_from, position)
      join source s on s.id = n.cloned_from
  ), linked as (
    ${insertLinksSql('made', 'r.id')}
  ), queued as materialized (
    select ${enqueueSql(processRevision, { key: 'm.id', payload: ':payload', workspaceId: ':workspaceId' })}
      from made m
  )
  select m.*, q.enqueue_job from made m, queued q`)

/**
 * Writes a figure revision with clones of data, which share the blobs, with its links and its job.
 * Undefined if a data object to clone is gone. By external_data_pkey and blob_pkey.
 */
export async function insertDerived(
  db: Db,
  revision: Omit<NewRevision, 'import_source'> & { derived_from: string },
  clones: Clone[],
  links: LinkRow[],
  job: { payload: object; workspaceId: string },
): Promise<RevisionRow | undefined> {
  const [row] = await derived(db, {
    revisionId: revision.id,
    parentId: revision.parent_id,
    metadata: revision.metadata,
    isCleanRoom: revision.is_clean_room,
    isProcessing: revision.is_processing,
    author: revision.created_by,
    createdOn: revision.created_on,
    shortId: revision.short_id,
    derivedFrom: revision.derived_from,
    sourceIds: clones.map((clone) => clone.cloned_from),
    cloneIds: clones.map((clone) => clone.id),
    assetRevisionIds: links.map((link) => link.asset_revision_id),
    useTypes: links.map((link) => link.use_type),
    payload: JSON.stringify(job.payload),
    workspaceId: job.workspaceId,
  })
  return row
}
