import type { ObjectStore } from '@figbase/kit'

/** The name of the installation's own storage; the others are ids. */
export const defaultStorage = 'default'

/** The object stores that blobs are in. */
export type Stores = {
  /** Never fails: what is wrong with a storage is said when it is used. */
  of(storage: string): ObjectStore
}

export const createStores = (objects: ObjectStore, custom: Pick<Stores, 'of'>): Stores => ({
  of: (storage) => (storage === defaultStorage ? objects : custom.of(storage)),
})
