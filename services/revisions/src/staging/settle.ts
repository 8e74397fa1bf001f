import { type ObjectStore, StorageUnavailable } from '@figbase/kit/objects'
import type { Ctx } from '../context.js'
import { defaultStorage } from '../domain/default-storage.js'
import { stagedPrefix } from '../domain/object-keys.js'
import { listBlobKeys } from '../queries/blobs.js'
import { closeUpload, deleteUpload } from '../queries/uploads.js'

/**
 * Removes the staged objects that no blob has, then the upload's row: after a refusal, after a commit that
 * found the same bytes stored already, or for a process that is gone. An upload that was still open cannot
 * be committed afterwards. Without `staged`, the stores are asked for the keys. If a store is unavailable,
 * the row stays for a later attempt.
 */
export async function settleUpload(
  ctx: Pick<Ctx, 'db' | 'stores' | 'log'>,
  id: string,
  staged?: string[],
): Promise<'discarded' | 'committed'> {
  const upload = await closeUpload(ctx.db, id)
  if (!upload) return 'committed'
  try {
    await removeStaged(ctx, id, upload.storage ?? defaultStorage, staged)
    await deleteUpload(ctx.db, id)
  } catch (err) {
    if (!(err instanceof StorageUnavailable)) throw err
    ctx.log.warn(
      { err, upload: id },
      'staged object cleanup failed: storage unavailable; it is retried later',
    )
  }
  return upload.state === 'discarded' ? 'discarded' : 'committed'
}

/** Removes the staged objects of an upload that no blob has, when nothing can commit them any more. */
export async function removeStaged(
  ctx: Pick<Ctx, 'db' | 'stores'>,
  id: string,
  belongsTo: string,
  staged?: string[],
) {
  for (const storage of new Set([defaultStorage, belongsTo])) {
    const objects = ctx.stores.of(storage)
    const keys = staged ?? (await stagedKeys(objects, id))
    const kept = new Set(await listBlobKeys(ctx.db, storage, keys))
    await objects.delete(keys.filter((key) => !kept.has(key)))
  }
}

async function stagedKeys(objects: ObjectStore, id: string) {
  const keys: string[] = []
  for await (const { key } of objects.list(stagedPrefix(id))) keys.push(key)
  return keys
}
