import { type Cursor, statement } from '@figbase/kit/db'
import type { Selectable } from 'kysely'
import type { Db, InvitationTable, NodeKind, Tx } from '../db/schema.js'

/** Does not include the hash of the token. */
export type Invitation = Omit<Selectable<InvitationTable>, 'token_hash'> & { type: NodeKind }

const columns = 'i.id, i.seq, i.node_id, i.email, i.role, i.invited_by, i.created_on, i.expires_on'

export type NewInvitation = Pick<Invitation, 'id' | 'node_id' | 'type' | 'email' | 'role'> & {
  by: string
  tokenHash: Buffer
  /** The requested expiry; null: after `lifetimeMs`. */
  expiresOn: string | null
  lifetimeMs: number
  lifetimeMaxMs: number
}

const inserted = statement<Invitation, Omit<NewInvitation, 'node_id'> & { nodeId: string }>(`
  insert into invitation as i (id, node_id, email, role, invited_by, token_hash, expires_on)
  select :id, :nodeId, :email, :role, :by, :tokenHash,
         least(coalesce(:expiresOn::timestamptz, now() + :lifetimeMs * interval '1 ms'),
               now() + :lifetimeMaxMs * interval '1 ms')
   where :expiresOn::timestamptz is null or :expiresOn::timestamptz > now()
  returning ${columns}, :type::text as type`)

/** Undefined when the requested expiry is in the past. */
export async function insertInvitation(
  tx: Tx,
  { node_id: nodeId, ...invitation }: NewInvitation,
): Promise<Invitation | undefined> {
  return (await inserted(tx, { nodeId, ...invitation }))[0]
}

const open = `i.expires_on > now()`
const withType = 'join node n on n.id = i.node_id'

const openById = statement<Invitation>(
  `select ${columns}, n.type from invitation i ${withType} where i.id = $1 and ${open}`,
)

/** Undefined when the invitation does not exist or has expired. Uses invitation_pkey. */
export async function findInvitation(db: Db, id: string): Promise<Invitation | undefined> {
  return (await openById(db, id))[0]
}

const openByToken = statement<Invitation & { name: string }>(
  `select ${columns}, n.type, n.name from invitation i ${withType} where i.token_hash = $1 and ${open}`,
)

/** As findInvitation, with the name of its target. Uses invitation_token_hash_key. */
export async function findByToken(db: Db, hash: Buffer) {
  return (await openByToken(db, hash))[0]
}

const taken = statement<Invitation & { is_open: boolean }>(`
  delete from invitation i using node n
   where i.token_hash = $1 and n.id = i.node_id and n.type = $2
  returning ${columns}, n.type, ${open} as is_open`)

/** Deletes and returns an invitation, so that only one caller can use it. Uses invitation_token_hash_key. */
export async function consumeInvitation(tx: Tx, hash: Buffer, type: NodeKind) {
  return (await taken(tx, hash, type))[0]
}

const deleted = statement<never>('delete from invitation where id = $1')

export async function deleteInvitation(db: Db, id: string): Promise<void> {
  await deleted(db, id)
}

const expired = statement<never>('delete from invitation where expires_on <= now()')

/** Uses invitation_expiry_idx. */
export async function deleteExpired(db: Db): Promise<void> {
  await expired(db)
}

const openCount = statement<{ invitations: number }>(
  `select count(*)::int as invitations from invitation i where i.node_id = $1 and ${open}`,
)

/** Uses invitation_node_idx. */
export async function countInvitations(db: Db, nodeId: string): Promise<number> {
  return (await openCount(db, nodeId))[0]?.invitations ?? 0
}

type InvitationsPage = { nodeId: string; type: NodeKind; limit: number }

const page = <Values extends InvitationsPage>(later: string) =>
  statement<Invitation, Values>(`
    select ${columns}, :type::text as type from invitation i
     where i.node_id = :nodeId and ${open} ${later}
     order by i.created_on, i.seq limit :limit`)

const firstPage = page<InvitationsPage>('')
const laterPage = page<InvitationsPage & Cursor>(
  'and (i.created_on, i.seq) > (:createdOn::timestamptz, :seq::bigint)',
)

/** Oldest first. Uses invitation_node_idx. */
export function listInvitations(
  db: Db,
  nodeId: string,
  type: NodeKind,
  limit: number,
  after?: Cursor,
): Promise<Invitation[]> {
  if (!after) return firstPage(db, { nodeId, type, limit })
  return laterPage(db, { nodeId, type, limit, ...after })
}
