import type { Ctx } from './context.js'
import type { Db, Tx } from './db/schema.js'
import { planLimit } from './errors.js'
import {
  countUsers,
  findSubscription,
  isStorageLimited,
  lockHolder,
  sumStorage,
} from './queries/subscriptions.js'

const rememberedMs = 1000

/** Whether any plan limits storage, as of a second ago at most: most installations have none. */
export function createStorageLimited(db: Db): () => Promise<boolean> {
  let asked = Number.NEGATIVE_INFINITY
  let answer = Promise.resolve(false)
  return () => {
    if (performance.now() - asked > rememberedMs) {
      asked = performance.now()
      answer = isStorageLimited(db)
      answer.catch(() => {
        asked = Number.NEGATIVE_INFINITY
      })
    }
    return answer
  }
}

type Quota = { limit: bigint; left: bigint; holderId: string }

/** What the plan of a workspace has left; undefined when it does not limit storage. */
export async function storageQuota(db: Db, workspaceId: string): Promise<Quota | undefined> {
  const { max_storage_bytes: limit, holder_id: holderId } = await findSubscription(db, workspaceId)
  if (limit === null) return undefined
  const left = limit - (await sumStorage(db, holderId))
  return { limit, left: left > 0n ? left : 0n, holderId }
}

/**
 * Runs what reserves so many bytes more, and tells it how many are to be held; null: none, for nothing
 * limits them. Refuses when less than that is left.
 */
export async function withinStorage<T>(
  ctx: Ctx,
  workspaceId: string,
  sizeBytes: bigint,
  reserve: (db: Db, heldBytes: bigint | null) => Promise<T>,
): Promise<T> {
  if (sizeBytes <= 0n || !(await ctx.isStorageLimited())) {
    return ctx.write((db) => reserve(db, null))
  }
  return ctx.transact(async (tx) => reserve(tx, await checkStorage(tx, workspaceId, sizeBytes)))
}

/** Holds what is left still until the transaction ends. */
async function checkStorage(
  tx: Tx,
  workspaceId: string,
  sizeBytes: bigint,
): Promise<bigint | null> {
  const { holder_id: holderId } = await findSubscription(tx, workspaceId)
  await lockHolder(tx, holderId)
  const quota = await storageQuota(tx, workspaceId)
  if (!quota) return null
  if (sizeBytes > quota.left) throw storageExceeded(quota)
  return sizeBytes
}

export const storageExceeded = ({ limit, left }: Pick<Quota, 'limit' | 'left'>) =>
  planLimit('max_storage_bytes', `the plan allows ${limit} bytes of storage, and ${left} are left`)

/** Refuses what was just brought into a workspace, or with it into an organization, when it is too much. */
export async function checkArrival(tx: Tx, nodeId: string): Promise<void> {
  const { max_storage_bytes: limit, holder_id: holderId } = await findSubscription(tx, nodeId)
  if (limit === null) return
  await lockHolder(tx, holderId)
  const used = await sumStorage(tx, holderId)
  if (used <= limit) return
  const message = `the plan allows ${limit} bytes of storage, and with this there were ${used}`
  throw planLimit('max_storage_bytes', message)
}

/** Refuses what was just brought into an organization, with its members, when they are too many. */
export async function checkUsersCome(tx: Tx, nodeId: string): Promise<void> {
  const { max_users: limit, holder_id: holderId } = await findSubscription(tx, nodeId)
  if (limit === null) return
  await lockHolder(tx, holderId)
  const { users } = await countUsers(tx, holderId, '')
  if (users <= limit) return
  throw planLimit('max_users', `the plan allows ${limit} members, and with this they were ${users}`)
}

/** Refuses one more member where the plan does not allow it; holds the count still until the end. */
export async function checkUsers(tx: Tx, nodeId: string, subject: string): Promise<void> {
  const { max_users: limit, holder_id: holderId } = await findSubscription(tx, nodeId)
  if (limit === null) return
  await lockHolder(tx, holderId)
  const { users, is_counted } = await countUsers(tx, holderId, subject)
  if (!is_counted && users >= limit) {
    throw planLimit('max_users', `the plan allows ${limit} members, and they are ${users} already`)
  }
}
