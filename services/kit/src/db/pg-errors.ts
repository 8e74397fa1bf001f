export const serializationFailure = '40001'

/** The name of the violated constraint, when that is what an error is about. */
export function constraintOf(error: unknown): string | undefined {
  return (error as { constraint?: string } | undefined)?.constraint
}

/** Thrown in a transaction of the kit: it is run again, as after a serialization failure. */
export class ConcurrentChange extends Error {
  override name = 'ConcurrentChange'
  readonly code = serializationFailure
}

/** SQLSTATE of an error from PostgreSQL. */
export function sqlState(error: unknown): string | undefined {
  return (error as { code?: string } | undefined)?.code
}
