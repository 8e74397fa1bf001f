import type { Logger } from '@figbase/kit/log'
import { ObjectNotFound } from '@figbase/kit/objects'
import { LRUCache } from 'lru-cache'
import { defaultStorage } from '../domain/default-storage.js'
import { thumbnailKey } from '../domain/object-keys.js'
import type { StoredThumbnail } from '../queries/thumbnails.js'
import type { Stores } from '../stores/stores.js'
import { resized } from './picture.js'

/** Thumbnails in any size, with a cache. Concurrent readers share the work. */
export type Thumbnails = {
  /** The size is at most that of the stored thumbnail; `sizePx` 0 means its full size. */
  read(thumbnail: StoredThumbnail, sizePx: number): Promise<Buffer>
}

/** Sizes that are rendered once and stored, besides the full size. */
const stepsPx = [128, 256, 512]

type StoredObject = Pick<StoredThumbnail, 'storage' | 'key'>
type ThumbnailRequest = { thumbnail: StoredThumbnail; sizePx: number }

export function createThumbnails(stores: Stores, bytesMax: number, log: Logger): Thumbnails {
  const cache = new LRUCache<string, Buffer, ThumbnailRequest>({
    maxSize: Math.max(1, bytesMax),
    // A small buffer may keep a whole pool of Node.js in memory.
    sizeCalculation: (png) => Math.max(png.length, Buffer.poolSize),
    fetchMethod: (_, __, { context }) => make(context),
    // An evicted entry is still needed by its readers.
    ignoreFetchAbort: true,
  })

  const read = (thumbnail: StoredThumbnail, sizePx: number) =>
    cache.forceFetch(`${thumbnail.key} ${sizePx}`, { context: { thumbnail, sizePx } })

  function make({ thumbnail, sizePx }: ThumbnailRequest): Promise<Buffer> {
    if (sizePx === 0) return readWhole(stores, thumbnail)
    return stepsPx.includes(sizePx) ? readStep(thumbnail, sizePx) : shrink(thumbnail, sizePx)
  }

  async function readStep(thumbnail: StoredThumbnail, stepPx: number) {
    const key = thumbnailKey(thumbnail.revision_id, thumbnail.digest, stepPx)
    try {
      return await readWhole(stores, { storage: defaultStorage, key })
    } catch (error) {
      if (!(error instanceof ObjectNotFound)) throw error
    }
    const png = await shrink(thumbnail, stepPx)
    // A failure is not fatal: the size can be rendered again.
    await stores
      .of(defaultStorage)
      .put(key, once(png))
      .catch((err: unknown) => log.warn({ err, key }, 'storing a thumbnail failed'))
    return png
  }

  /** Scales from the next larger size. */
  async function shrink(thumbnail: StoredThumbnail, sizePx: number) {
    const above = stepsPx.find((stepPx) => stepPx > sizePx && isSmaller(thumbnail, stepPx))
    return resized(await read(thumbnail, above ?? 0), sizePx)
  }

  return {
    read: (thumbnail, sizePx) => read(thumbnail, isSmaller(thumbnail, sizePx) ? sizePx : 0),
  }
}

const isSmaller = ({ width, height }: StoredThumbnail, sizePx: number) =>
  sizePx < Math.max(width, height)

async function readWhole(stores: Stores, { storage, key }: StoredObject) {
  const chunks: Uint8Array[] = []
  for await (const chunk of stores.of(storage).get(key)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* once(bytes: Uint8Array) {
  yield bytes
}
