import { type Cursor, statement } from '@figbase/kit/db'
import type { ActivityTable, Db, NodeKind, Role, Tx } from '../db/schema.js'
import type { Invitation } from './invitations.js'
import { alive, isAlive, summedSize, sums } from './node-sql.js'

export type OwnedContainer = { id: string; type: NodeKind; name: string | null }

/**
 * SQL for the containers that the user $1 owns or administers, and for what happens to each when they leave:
 * `stays`: another org_admin remains; `keeps`: other members remain without an administrator, so the user cannot
 * leave; `goes`: deleted with the user, as the primary workspace always is.
 */
const outcomes = `
  select n.id, n.type, n.name,
         case when n.workspace_type = 'primary' then 'goes'
              when exists (
                select from access_grant m
                 where m.node_id = case n.type when 'organization' then n.id else n.organization_id end
                   and m.kind = 'member' and m.role = 'org_admin' and m.subject <> $1) then 'stays'
              when exists (
                select from access_grant m
                 where m.node_id = n.id and m.kind = 'member' and m.subject <> $1) then 'keeps'
              else 'goes' end as fate
    from access_grant g join node n on n.id = g.node_id
   where g.subject = $1 and g.kind = 'member' and g.role in ('owner', 'org_admin')
     and n.state = 'active' and ${isAlive('n')}`

export type LeaveOutcome = 'keeps' | 'goes'

const owned = statement<OwnedContainer>(
  `select id, type, name from (${outcomes}) f where fate = $2 order by id limit $3`,
)

/** The containers of a user with this outcome. Uses access_grant_pkey and access_grant_node_idx. */
export function listOwnedContainers(
  db: Db,
  username: string,
  outcome: LeaveOutcome,
  limit: number,
): Promise<OwnedContainer[]> {
  return owned(db, username, outcome, limit)
}

const outcomeById = statement<{ fate: string }>(`select fate from (${outcomes}) f where id = $2`)

/** Whether this container, which is locked, is deleted when its owner leaves. */
export async function isDeletedWithOwner(tx: Tx, username: string, id: string): Promise<boolean> {
  return (await outcomeById(tx, username, id))[0]?.fate === 'goes'
}

const endedGrants = statement<never>('delete from access_grant where subject = $1')
const endedInvitations = statement<never>('delete from invitation where invited_by = $1')

/**
 * Deletes the memberships and shares of a user and the invitations that they sent. Uses access_grant_pkey and
 * invitation_inviter_idx.
 */
export async function endGrants(tx: Tx, username: string): Promise<void> {
  await endedGrants(tx, username)
  await endedInvitations(tx, username)
}

type Paged = { created_on: string; seq: bigint }

export type OwnGrant = Paged & {
  node_id: string
  type: NodeKind
  name: string | null
  kind: 'member' | 'share'
  role: Role
  granted_by: string
}

type OwnPage = { username: string; limit: number }

const grantsPage = <Values extends OwnPage>(later: string) =>
  statement<OwnGrant, Values>(`
    select g.node_id, n.type, case when ${isAlive('n')} then n.name end as name, g.kind, g.role,
           g.granted_by, g.granted_on as created_on, g.seq
      from access_grant g join node n on n.id = g.node_id
     where g.subject = :username ${later}
     order by g.granted_on, g.seq limit :limit`)
const firstGrants = grantsPage<OwnPage>('')
const laterGrants = grantsPage<OwnPage & Cursor>(
  'and (g.granted_on, g.seq) > (:createdOn::timestamptz, :seq::bigint)',
)

/** Sorts all grants of the user. Uses access_grant_pkey. */
export function listOwnGrants(
  db: Db,
  username: string,
  limit: number,
  after?: Cursor,
): Promise<OwnGrant[]> {
  if (!after) return firstGrants(db, { username, limit })
  return laterGrants(db, { username, limit, ...after })
}

export type OwnEntry = Paged &
  Pick<ActivityTable, 'id' | 'action' | 'target_id' | 'target_type' | 'target_name'>

const entriesPage = <Values extends OwnPage>(later: string) =>
  statement<OwnEntry, Values>(`
    select a.id, a.at as created_on, a.seq, a.action, a.target_id, a.target_type, a.target_name
      from activity a
     where a.actor = :username and not a.is_silent and not a.is_departure ${later}
     order by a.at, a.seq limit :limit`)
const firstEntries = entriesPage<OwnPage>('')
const laterEntries = entriesPage<OwnPage & Cursor>(`
  and a.at >= :createdOn::timestamptz
  and (a.at, a.seq) > (:createdOn::timestamptz, :seq::bigint)`)

/** Uses activity_actor_idx. */
export function listOwnActivity(
  db: Db,
  username: string,
  limit: number,
  after?: Cursor,
): Promise<OwnEntry[]> {
  if (!after) return firstEntries(db, { username, limit })
  return laterEntries(db, { username, limit, ...after })
}

const ownedBytes = statement<{ username: string; bytes: bigint }>(`
  select g.subject as username, sum(${summedSize})::bigint as bytes
    from access_grant g join node n on n.id = g.node_id ${sums}
   where g.subject = any($1::text[]) and g.kind = 'member' and g.role = 'owner'
     and n.type = 'workspace' and ${alive}
   group by g.subject`)

/** The total size of the workspaces of each owner. Uses access_grant_pkey, node_pkey and the indexes of `sums`. */
export const listOwnedBytes = (db: Db, usernames: string[]) => ownedBytes(db, usernames)

const invitationsPage = <Values extends OwnPage>(later: string) =>
  statement<Invitation, Values>(`
    select i.id, i.seq, i.node_id, i.email, i.role, i.invited_by, i.created_on, i.expires_on, n.type
      from invitation i join node n on n.id = i.node_id
     where i.invited_by = :username and i.expires_on > now() ${later}
     order by i.created_on, i.seq limit :limit`)
const firstInvitations = invitationsPage<OwnPage>('')
const laterInvitations = invitationsPage<OwnPage & Cursor>(
  'and (i.created_on, i.seq) > (:createdOn::timestamptz, :seq::bigint)',
)

/** Uses invitation_inviter_idx. */
export function listOwnInvitations(
  db: Db,
  username: string,
  limit: number,
  after?: Cursor,
): Promise<Invitation[]> {
  if (!after) return firstInvitations(db, { username, limit })
  return laterInvitations(db, { username, limit, ...after })
}
