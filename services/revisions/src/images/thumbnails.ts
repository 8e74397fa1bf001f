import { type Logger, ObjectMissing } from '@figbase/kit'
import { LRUCache } from 'lru-cache'
import { defaultStorage } from '../domain/default-storage.js'
import { thumbnailKey } from '../domain/object-keys.js'
import type { StoredThumbnail } from '../queries/thumbnails.js'
import type { Stores } from '../stores/stores.js'
import { resized } from './picture.js'

/** Thumbnails in the sizes that were asked for lately; concurrent readers share the work. */
export type Thumbnails = {
  /** `sizePx` 0: as it was made. Never larger than that. */
  read(thumbnail: StoredThumbnail, sizePx: number): Promise<Buffer>
}

/** Sizes that are made once and kept, below the one in which a picture was made. */
const stepsPx = [128, 256, 512]

type Place = Pick<StoredThumbnail, 'storage' | 'key'>
type Wanted = { thumbnail: StoredThumbnail; sizePx: number }

export function createThumbnails(stores: Stores, bytesMax: number, log: Logger): Thumbnails {
  const cache = new LRUCache<string, Buffer, Wanted>({
    maxSize: Math.max(1, bytesMax),
    // A small buffer may be all that is left of a pool of Node's, and keep it.
    sizeCalculation: (png) => Math.max(png.length, Buffer.poolSize),
    fetchMethod: (_, __, { context }) => make(context),
    // What falls out of the cache while it is made is wanted all the same.
    ignoreFetchAbort: true,
  })

  const read = (thumbnail: StoredThumbnail, sizePx: number) =>
    cache.forceFetch(`${thumbnail.key} ${sizePx}`, { context: { thumbnail, sizePx } })

  function make({ thumbnail, sizePx }: Wanted): Promise<Buffer> {
    if (sizePx === 0) return readWhole(stores, thumbnail)
    return stepsPx.includes(sizePx) ? readStep(thumbnail, sizePx) : shrink(thumbnail, sizePx)
  }

  async function readStep(thumbnail: StoredThumbnail, stepPx: number) {
    const key = thumbnailKey(thumbnail.revision_id, thumbnail.digest, stepPx)
    try {
      return await readWhole(stores, { storage: defaultStorage, key })
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error
    }
    const png = await shrink(thumbnail, stepPx)
    // It can be made again.
    await stores
      .of(defaultStorage)
      .put(key, once(png))
      .catch((err: unknown) => log.warn({ err, key }, 'a thumbnail was not kept'))
    return png
  }

  /** From the next larger step. */
  async function shrink(thumbnail: StoredThumbnail, sizePx: number) {
    const above = stepsPx.find((stepPx) => stepPx > sizePx && isBelow(thumbnail, stepPx))
    return resized(await read(thumbnail, above ?? 0), sizePx)
  }

  return {
    read: (thumbnail, sizePx) => read(thumbnail, isBelow(thumbnail, sizePx) ? sizePx : 0),
  }
}

const isBelow = ({ width, height }: StoredThumbnail, sizePx: number) =>
  sizePx < Math.max(width, height)

async function readWhole(stores: Stores, { storage, key }: Place) {
  const chunks: Uint8Array[] = []
  for await (const chunk of stores.of(storage).get(key)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* once(bytes: Uint8Array) {
  yield bytes
}
