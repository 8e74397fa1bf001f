import { invalid } from '@figbase/kit/errors'
import type { Ctx } from '../context.js'
import type { Role, Tx } from '../db/schema.js'
import { alreadyMember, tooManyMembers } from '../errors.js'
import {
  countMembers,
  findMember,
  insertGrant,
  insertNotifiedGrant,
  type NewGrant,
} from '../queries/grants.js'
import { checkNewUser } from '../quota.js'

/** Adds a user to a locked container. The user is notified, unless they did it themselves by accepting an invitation. */
export async function insertMember(
  ctx: Ctx,
  tx: Tx,
  { isNotified, ...member }: Omit<NewGrant, 'kind'> & { isNotified: boolean },
): Promise<void> {
  const { cfg } = ctx
  const { nodeId, subject } = member
  if (await findMember(tx, nodeId, subject)) throw alreadyMember(subject)
  const { members } = await countMembers(tx, nodeId)
  if (members >= cfg.membersMax) throw tooManyMembers(cfg.membersMax)
  await checkNewUser(tx, nodeId, subject)
  const grant = { ...member, kind: 'member' } as const
  if (!isNotified) return insertGrant(tx, grant)
  await insertNotifiedGrant(tx, grant, ctx.newOrderedId())
  ctx.wakeRelay(tx)
}

/**
 * Throws when the role of a member of a locked container cannot be changed to `next` (undefined: removed), because
 * the container would lose its owner or its last org_admin.
 */
export async function checkReplaceable(
  tx: Tx,
  nodeId: string,
  username: string,
  next?: Role,
): Promise<void> {
  const role = await findMember(tx, nodeId, username)
  if (!role) throw invalid('username', 'is not a member')
  if (role === 'owner') throw invalid('username', 'is the owner, who cannot be changed or removed')
  if (role !== 'org_admin' || next === 'org_admin') return
  const { admins } = await countMembers(tx, nodeId)
  if (admins <= 1) throw invalid('username', 'is the last org_admin of the organization')
}
