/** Thrown by `get` for a missing object. */
export class ObjectNotFound extends Error {
  override name = 'ObjectNotFound'
  constructor(key: string) {
    super(`object not found: ${key}`)
  }
}

/** The parameter that is the probable cause of a store's failure. */
export type StorageProblem =
  | 'endpoint'
  | 'region'
  | 'bucket'
  | 'access_key'
  | 'secret_key'
  | 'unknown'

/** The store failed, temporarily or not; the message is for its operator. Clients get a 503. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
  readonly problem: StorageProblem
  constructor(problem: StorageProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/** A range of an object: `offset` must be within it; `length` (at least 1) is truncated at its end. */
export type ObjectRange = { offset: number; length: number }

/** A listed object. */
export type StoredObject = { key: string; sizeBytes: number; modifiedOn: Date }

/** A store of immutable objects with keys of letters, digits, `-`, `_`, `.` and `/`. */
export interface ObjectStore {
  /**
   * Stores streamed bytes in bounded memory; a chunk may be reused once the next is pulled. The object is stored
   * durably when the promise resolves, and not at all when it rejects.
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Throws ObjectNotFound with the first pull. Leaving the loop releases all resources. */
  get(key: string, range?: ObjectRange): AsyncIterable<Uint8Array>
  /** Ignores missing objects. */
  delete(keys: string[]): Promise<void>
  /** Removes unfinished puts of dead processes; to be called at startup. */
  sweep(): Promise<void>
  /** Lists objects by key prefix, which may end within a name. */
  list(prefix: string): AsyncIterable<StoredObject>
  /**
   * A URL that allows its holder to PUT one object, repeatedly while it is valid. Absent if clients cannot reach the
   * store.
   */
  presignPut?(key: string, options: { expiresSeconds: number }): Promise<string>
}
