import { type ObjectStore, StorageUnavailable } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { defaultStorage } from '../domain/default-storage.js'
import { stagedPrefix } from '../domain/object-keys.js'
import { listBlobKeys } from '../queries/blobs.js'
import { closeUpload, deleteUpload } from '../queries/uploads.js'

/**
 * Removes the staged objects that are no blob's, then the upload's row: after a refusal, after a
 * commit that found the same bytes stored already, or in place of a process that is gone. From
 * here on an upload that was still open cannot be committed any more. Without `staged`, the stores are
 * asked for their keys. What a store does not do now is left to the next time, with the row.
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
    ctx.log.warn({ err, upload: id }, 'staged objects stay until their storage can be reached')
  }
  return upload.state === 'discarded' ? 'discarded' : 'committed'
}

/** Removes the staged objects of an upload that are no blob's, where nothing commits them any more. */
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
