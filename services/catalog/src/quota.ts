import type { Ctx } from './context.js'
import type { Db, Tx } from './db/schema.js'
import { planLimit } from './errors.js'
import {
  countUsers,
  getSubscriptionRow,
  isStorageLimited,
  lockHolder,
  sumStorage,
} from './queries/subscriptions.js'

const cacheMs = 1000

/**
 * Whether any plan limits storage, cached for a second: most installations have no such plan, and then a
 * publication needs no query.
 */
export function createStorageLimited(db: Db): () => Promise<boolean> {
  let cachedAt = Number.NEGATIVE_INFINITY
  let answer = Promise.resolve(false)
  return () => {
    if (performance.now() - cachedAt > cacheMs) {
      cachedAt = performance.now()
      answer = isStorageLimited(db)
      answer.catch(() => {
        cachedAt = Number.NEGATIVE_INFINITY
      })
    }
    return answer
  }
}

type Quota = { limit: bigint; left: bigint; holderId: string }

/** The storage quota of the plan of a workspace, in bytes; undefined when the plan does not limit storage. */
export async function storageQuota(db: Db, workspaceId: string): Promise<Quota | undefined> {
  const { max_storage_bytes: limit, holder_id: holderId } = await getSubscriptionRow(
    db,
    workspaceId,
  )
  if (limit === null) return undefined
  const left = limit - (await sumStorage(db, holderId))
  return { limit, left: left > 0n ? left : 0n, holderId }
}

/**
 * Calls `reserve` with the bytes to reserve against the plan, null when no plan limits them. Throws when the
 * plan has less than `sizeBytes` left.
 */
export async function reserveStorage<T>(
  ctx: Ctx,
  workspaceId: string,
  sizeBytes: bigint,
  reserve: (db: Db, reservedBytes: bigint | null) => Promise<T>,
): Promise<T> {
  if (sizeBytes <= 0n || !(await ctx.isStorageLimited())) {
    return ctx.write((db) => reserve(db, null))
  }
  return ctx.transact(async (tx) => reserve(tx, await checkStorage(tx, workspaceId, sizeBytes)))
}

/** Locks the usage of the plan until the transaction ends. */
async function checkStorage(
  tx: Tx,
  workspaceId: string,
  sizeBytes: bigint,
): Promise<bigint | null> {
  const { holder_id: holderId } = await getSubscriptionRow(tx, workspaceId)
  await lockHolder(tx, holderId)
  const quota = await storageQuota(tx, workspaceId)
  if (!quota) return null
  if (sizeBytes > quota.left) throw storageExceeded(quota)
  return sizeBytes
}

export const storageExceeded = ({ limit, left }: Pick<Quota, 'limit' | 'left'>) =>
  planLimit(
    'max_storage_bytes',
    `the plan allows ${limit} bytes of storage, of which ${left} are left`,
  )

/** Throws when the storage of the plan is exceeded after nodes were moved or restored into its workspaces. */
export async function checkStorageUsage(tx: Tx, nodeId: string): Promise<void> {
  const { max_storage_bytes: limit, holder_id: holderId } = await getSubscriptionRow(tx, nodeId)
  if (limit === null) return
  await lockHolder(tx, holderId)
  const used = await sumStorage(tx, holderId)
  if (used <= limit) return
  const message = `the plan allows ${limit} bytes of storage, and this would use ${used}`
  throw planLimit('max_storage_bytes', message)
}

/** Throws when the plan has too many members after a workspace was added or a container restored. */
export async function checkUserCount(tx: Tx, nodeId: string): Promise<void> {
  const { max_users: limit, holder_id: holderId } = await getSubscriptionRow(tx, nodeId)
  if (limit === null) return
  await lockHolder(tx, holderId)
  const { users } = await countUsers(tx, holderId, '')
  if (users <= limit) return
  throw planLimit('max_users', `the plan allows ${limit} members, and this would make ${users}`)
}

/** Throws when the plan does not allow one more member. Locks the count until the transaction ends. */
export async function checkNewUser(tx: Tx, nodeId: string, subject: string): Promise<void> {
  const { max_users: limit, holder_id: holderId } = await getSubscriptionRow(tx, nodeId)
  if (limit === null) return
  await lockHolder(tx, holderId)
  const { users, is_counted } = await countUsers(tx, holderId, subject)
  if (!is_counted && users >= limit) {
    throw planLimit('max_users', `the plan allows ${limit} members, and there are already ${users}`)
  }
}
