import { type Cursor, statement } from '@figbase/kit/db'
import { publishSql } from '@figbase/kit/events'
import type { AccessGrantTable, Db, Role, Tx } from '../db/schema.js'
import { accessGranted } from '../events.js'

type Kind = AccessGrantTable['kind']

export type Grant = { subject: string; role: Role; created_on: string; seq: bigint }

type GrantsPage = { nodeId: string; kind: Kind; limit: number }

const page = <Values extends GrantsPage>(later: string) =>
  statement<Grant, Values>(`
    select g.subject, g.role, g.granted_on as created_on, g.seq from access_grant g
     where g.node_id = :nodeId and g.kind = :kind ${later}
     order by g.granted_on, g.seq limit :limit`)

const firstPage = page<GrantsPage>('')
const laterPage = page<GrantsPage & Cursor>(
  'and (g.granted_on, g.seq) > (:createdOn::timestamptz, :seq::bigint)',
)

/** In the order of granting. Uses access_grant_node_idx. */
export function listGrants(
  db: Db,
  nodeId: string,
  kind: Kind,
  limit: number,
  after?: Cursor,
): Promise<Grant[]> {
  if (!after) return firstPage(db, { nodeId, kind, limit })
  return laterPage(db, { nodeId, kind, limit, ...after })
}

const roleOfMember = statement<{ role: Role }>(
  `select role from access_grant where subject = $1 and node_id = $2 and kind = 'member'`,
)

/** The role of a direct member; undefined for other users. Uses access_grant_pkey. */
export async function findMember(
  db: Db,
  nodeId: string,
  subject: string,
): Promise<Role | undefined> {
  return (await roleOfMember(db, subject, nodeId))[0]?.role
}

const memberCounts = statement<{ members: number; admins: number }>(`
  select count(*)::int as members, count(*) filter (where role = 'org_admin')::int as admins
    from access_grant where node_id = $1 and kind = 'member'`)

/** The numbers of members and of org_admins among them. Uses access_grant_node_idx. */
export async function countMembers(db: Db, nodeId: string) {
  const [counts] = await memberCounts(db, nodeId)
  return counts ?? { members: 0, admins: 0 }
}

const insertedSql = `
  insert into access_grant (subject, node_id, kind, role, granted_by)
  values (:subject, :nodeId, :kind, :role, :by)
  on conflict on constraint access_grant_pkey do nothing`

const inserted = statement<never, NewGrant>(insertedSql)

export type NewGrant = { subject: string; nodeId: string; kind: Kind; role: Role; by: string }

/** Does nothing when the user already has a grant of this kind. */
export async function insertGrant(db: Db, grant: NewGrant): Promise<void> {
  await inserted(db, grant)
}

const notified = statement<never, NewGrant & { eventId: string }>(`
  with granted as (${insertedSql} returning subject, node_id, granted_by)
  ${publishSql(accessGranted, {
    id: ':eventId',
    key: 'g.node_id',
    actor: 'g.granted_by',
    requestId: "coalesce($request_id, '')",
    payload: { nodeId: 'g.node_id', username: 'g.subject' },
    from: 'granted g',
  })}`)

/** As `insertGrant`, with an event of which the user is notified. The caller wakes the relay. */
export async function insertNotifiedGrant(tx: Tx, grant: NewGrant, eventId: string): Promise<void> {
  await notified(tx, { ...grant, eventId })
}

const shareCounts = statement<{ shares: number; is_shared: boolean }>(`
  select count(*)::int as shares, coalesce(bool_or(subject = $2), false) as is_shared
    from access_grant where node_id = $1 and kind = 'share'`)

/** The number of shares of a node, and whether `subject` has one. Uses access_grant_node_idx. */
export async function countShares(db: Db, nodeId: string, subject: string) {
  const [counts] = await shareCounts(db, nodeId, subject)
  return counts ?? { shares: 0, is_shared: false }
}

const changed = statement<never>(
  `update access_grant set role = $3 where subject = $1 and node_id = $2 and kind = 'member'`,
)

export async function updateMember(tx: Tx, nodeId: string, subject: string, role: Role) {
  await changed(tx, subject, nodeId, role)
}

const deleted = statement<never>(
  'delete from access_grant where subject = $1 and node_id = $2 and kind = $3',
)

export async function deleteGrant(db: Db, nodeId: string, kind: Kind, subject: string) {
  await deleted(db, subject, nodeId, kind)
}
