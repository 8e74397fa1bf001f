import { LRUCache } from 'lru-cache'
import type { StoredThumbnail } from '../queries/thumbnails.js'
import type { Stores } from '../stores/stores.js'
import { resized } from './picture.js'

/** Thumbnails in the sizes that were asked for lately; concurrent readers share the work. */
export type Thumbnails = {
  /** `sizePx` 0: as it was made. Never larger than that. */
  read(thumbnail: StoredThumbnail, sizePx: number): Promise<Buffer>
}

export function createThumbnails(stores: Stores, bytesMax: number): Thumbnails {
  const cache = new LRUCache<string, Buffer, Where & { sizePx: number }>({
    maxSize: Math.max(1, bytesMax),
    sizeCalculation: (png) => png.length,
    async fetchMethod(_, __, { context }) {
      const png = await readWhole(stores, context)
      return context.sizePx ? resized(png, context.sizePx) : png
    },
  })
  return {
    async read({ storage, key, width, height }, sizePx) {
      const smaller = sizePx > 0 && sizePx < Math.max(width, height)
      const context = { storage, key, sizePx: smaller ? sizePx : 0 }
      return cache.forceFetch(`${key} ${context.sizePx}`, { context })
    },
  }
}

type Where = Pick<StoredThumbnail, 'storage' | 'key'>

async function readWhole(stores: Stores, { storage, key }: Where) {
  const chunks: Uint8Array[] = []
  for await (const chunk of stores.of(storage).get(key)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
