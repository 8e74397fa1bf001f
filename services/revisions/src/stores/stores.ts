import type { ObjectStore } from '@figbase/kit'
import { defaultStorage } from '../domain/default-storage.js'

/** The object stores that blobs are in. */
export type Stores = {
  /** Never fails: what is wrong with a storage is said when it is used. */
  of(storage: string): ObjectStore
}

/** Without `custom`, there is only the installation's own. */
export const createStores = (objects: ObjectStore, custom?: Stores): Stores => ({
  of(storage) {
    if (storage === defaultStorage) return objects
    if (!custom) throw new Error(`no storage has the name ${storage}`)
    return custom.of(storage)
  },
})
