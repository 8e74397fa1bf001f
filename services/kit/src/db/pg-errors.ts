/** The name of the violated constraint, when that is what an error is about. */
export function constraintOf(error: unknown): string | undefined {
  return (error as { constraint?: string } | undefined)?.constraint
}

/** SQLSTATE of an error from PostgreSQL. */
export function sqlState(error: unknown): string | undefined {
  return (error as { code?: string } | undefined)?.code
}
