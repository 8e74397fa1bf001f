import { enqueueing, statement } from '@figbase/kit'
import type { Db, LinkRow, RevisionRow } from '../db/schema.js'
import { processRevision } from '../jobs/process-revision.js'
import type { NewRevision } from './commit.js'
import { linking } from './links.js'
import { summary } from './revisions.js'

/** A data object, and that whose bytes, name and metadata it has. */
export type Clone = { id: string; cloned_from: string }

/**
 * The rows that are cloned are kept from being purged meanwhile. After them the index is drawn, then the
 * blobs are claimed in the order of their digests, as a creation does: they wait instead of deadlocking.
 */
const derived = statement<RevisionRow>(`
  with source as materialized (
    select d.id, d.name, d.type, d.metadata, d.is_clean_room, d.blob_id, d.size_bytes, d.hash
      from external_data d where d.id = any($8::uuid[])
       for key share of d
  ), drawn as (
    insert into revision_counter as c (parent_id, next_index)
    select $2::uuid, 1 where (select count(*) from source) = cardinality($8::uuid[])
    on conflict (parent_id) do update set next_index = c.next_index + 1
    returning c.next_index - 1 as revision_index
  ), made as (
    insert into revision (id, parent_id, revision_index, metadata, is_clean_room, is_processing,
                          created_by, created_on, type, short_id, derived_from)
    select $1::uuid, $2::uuid, d.revision_index, $3::json, $4::boolean, $5::boolean, $6,
           $7::timestamptz, 'figure_revision', $10, $11::uuid
      from drawn d
    returning ${summary}
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
      from made m, unnest($9::uuid[], $8::uuid[]) with ordinality as n (id, cloned_from, position)
      join source s on s.id = n.cloned_from
  ), linked as (
    ${linking('made', { figureRevisionId: 'r.id', assetRevisionIds: '$14', useTypes: '$15' })}
  ), queued as materialized (
    select ${enqueueing(processRevision, { key: 'm.id', payload: '$12', workspaceId: '$13' })}
      from made m
  )
  select m.*, q.enqueue_job from made m, queued q`)

/**
 * Writes a revision of a figure with clones of data, whose bytes they share, links and its job; undefined when
 * one that is to be cloned is gone. By external_data_pkey and blob_pkey.
 */
export async function insertDerived(
  db: Db,
  revision: NewRevision & { derived_from: string },
  clones: Clone[],
  links: LinkRow[],
  job: { payload: object; workspaceId: string },
): Promise<RevisionRow | undefined> {
  const { id, parent_id, metadata, is_clean_room, is_processing } = revision
  const { created_by, created_on, short_id, derived_from } = revision
  const [row] = await derived(
    db,
    ...[id, parent_id, metadata, is_clean_room, is_processing, created_by, created_on],
    clones.map((clone) => clone.cloned_from),
    clones.map((clone) => clone.id),
    ...[short_id, derived_from, JSON.stringify(job.payload), job.workspaceId],
    links.map((link) => link.asset_revision_id),
    links.map((link) => link.use_type),
  )
  return row
}
