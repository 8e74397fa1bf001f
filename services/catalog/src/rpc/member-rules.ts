import { invalid } from '@figbase/kit'
import type { Ctx } from '../context.js'
import type { Role, Tx } from '../db/schema.js'
import { alreadyMember, tooManyMembers } from '../errors.js'
import { countMembers, findMember, insertGrant, type NewGrant } from '../queries/grants.js'
import { checkUsers } from '../quota.js'

/** Makes a user a member of a locked container. */
export async function insertMember(
  { cfg }: Ctx,
  tx: Tx,
  { nodeId, subject, role, by }: Omit<NewGrant, 'kind'>,
): Promise<void> {
  if (await findMember(tx, nodeId, subject)) throw alreadyMember(subject)
  const { members } = await countMembers(tx, nodeId)
  if (members >= cfg.membersMax) throw tooManyMembers(cfg.membersMax)
  await checkUsers(tx, nodeId, subject)
  await insertGrant(tx, { nodeId, subject, kind: 'member', role, by })
}

/** Whether a member of a locked container may get another role, or none: else who would govern it? */
export async function checkReplaceable(
  tx: Tx,
  nodeId: string,
  username: string,
  next?: Role,
): Promise<void> {
  const role = await findMember(tx, nodeId, username)
  if (!role) throw invalid('username', 'is not a member')
  if (role === 'owner')
    throw invalid('username', 'is the owner: an owner cannot be changed or removed')
  if (role !== 'org_admin' || next === 'org_admin') return
  const { admins } = await countMembers(tx, nodeId)
  if (admins <= 1) throw invalid('username', 'is the last org_admin of the organization')
}
