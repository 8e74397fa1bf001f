import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import { alive } from './node-sql.js'

export type StoredRow = { id: string; owner: string; bytes: bigint }

/** The last row of a page. */
export type StoredKey = Pick<StoredRow, 'id' | 'bytes'>

type Page = { limit: number; bytes: bigint | null; id: string | null }

/** SQL for a page of `sized`, which has the columns id, created_by and bytes. */
const pageOf = (sized: string) =>
  statement<StoredRow, Page>(`
    with sized as (${sized}), page as (
      select id, created_by, bytes from sized
       where :bytes::bigint is null or (bytes, id) < (:bytes, :id::uuid)
       order by bytes desc, id desc limit :limit
    )
    select p.id, p.bytes, coalesce(g.subject, p.created_by) as owner
      from page p
      left join lateral (
        select subject from access_grant
         where node_id = p.id and kind = 'member' and role = 'owner' limit 1
      ) g on true
     order by p.bytes desc, p.id desc`)

/** The folded sums only: they are some seconds old, and read without the deltas of each node. */
const ofWorkspaces = pageOf(`
  select n.id, n.created_by, n.size_bytes + coalesce(s.size_bytes, 0) as bytes
    from node n left join node_stat s on s.node_id = n.id
   where n.type = 'workspace' and ${alive}`)

const ofOrganizations = pageOf(`
  select o.id, o.created_by, coalesce(sum(w.bytes), 0)::bigint as bytes
    from node o
    left join lateral (
      select n.size_bytes + coalesce(s.size_bytes, 0) as bytes
        from node n left join node_stat s on s.node_id = n.id
       where n.organization_id = o.id and n.type = 'workspace' and ${alive}
    ) w on true
   where o.type = 'organization' and o.state = 'active' and o.deleted_on is null
   group by o.id, o.created_by`)

const pageValues = (limit: number, after: StoredKey | undefined): Page => ({
  limit,
  bytes: after?.bytes ?? null,
  id: after?.id ?? null,
})

/** The largest first. Reads all workspaces, for administrators. */
export const listWorkspaceBytes = (db: Db, limit: number, after: StoredKey | undefined) =>
  ofWorkspaces(db, pageValues(limit, after))

/** The same for organizations, with the workspaces in them. */
export const listOrganizationBytes = (db: Db, limit: number, after: StoredKey | undefined) =>
  ofOrganizations(db, pageValues(limit, after))
