import type { ObjectStore } from '@figbase/kit/objects'
import { defaultStorage } from '../domain/default-storage.js'

/** The object stores of blobs. */
export type Stores = {
  /** Never throws. Errors of a storage come when it is used. */
  of(storage: string): ObjectStore
}

/** Without `custom`, only the default storage exists. */
export const createStores = (objects: ObjectStore, custom?: Stores): Stores => ({
  of(storage) {
    if (storage === defaultStorage) return objects
    if (!custom) throw new Error(`unknown storage ${storage}`)
    return custom.of(storage)
  },
})
