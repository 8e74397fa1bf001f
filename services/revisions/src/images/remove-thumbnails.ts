import type { ObjectStore } from '@figbase/kit'
import { isThumbnailOf, thumbnailsOf } from './thumbnail-keys.js'

/** Removes the thumbnails of a revision in all sizes, but not those of the picture with this digest. */
export async function removeThumbnails(
  objects: ObjectStore,
  revisionId: string,
  shown?: string,
): Promise<void> {
  const old: string[] = []
  for await (const { key } of objects.list(thumbnailsOf(revisionId))) {
    if (!shown || !isThumbnailOf(key, revisionId, shown)) old.push(key)
  }
  if (old.length > 0) await objects.delete(old)
}
