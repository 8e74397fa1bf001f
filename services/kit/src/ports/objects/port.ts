/** Thrown by `get` for a key under which nothing is stored. */
export class ObjectMissing extends Error {
  override name = 'ObjectMissing'
  constructor(key: string) {
    super(`no object under ${key}`)
  }
}

/** What is to be looked at when a store does not work, by the names of its parameters. */
export type StorageProblem =
  | 'endpoint'
  | 'region'
  | 'bucket'
  | 'access_key'
  | 'secret_key'
  | 'unknown'

/** The store does not do its work, now or at all; the message is for its operator. Callers get a 503. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
  readonly problem: StorageProblem
  constructor(problem: StorageProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/** A part of an object: `offset` lies in it; what `length` bytes (at least one) exceed it is left out. */
export type ObjectRange = { offset: number; length: number }

/** An object as a list shows it. */
export type StoredObject = { key: string; sizeBytes: number; modifiedOn: Date }

/** Immutable objects under keys of letters, digits, `-`, `_`, `.` and `/`. */
export interface ObjectStore {
  /**
   * Stores the bytes as they come, in bounded memory; each chunk is done with when the next is
   * pulled. The object is there, durably, when the promise resolves, and not at all when it rejects.
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Throws ObjectMissing (from the first pull). Leaving the loop closes what was open. */
  get(key: string, range?: ObjectRange): AsyncIterable<Uint8Array>
  /** Missing objects are fine. */
  delete(keys: string[]): Promise<void>
  /** Removes what puts of processes that are gone left unfinished; to be called at a start. */
  sweep(): Promise<void>
  /** All objects whose keys begin with `prefix`, which may end within a name. */
  list(prefix: string): AsyncIterable<StoredObject>
  /**
   * A URL to which whoever has it can PUT one object, also more than once while it is valid. Absent where
   * clients cannot reach the store.
   */
  presignPut?(key: string, options: { expiresSeconds: number }): Promise<string>
}
