/** SQLSTATE of an error from PostgreSQL. */
export function sqlState(error: unknown): string | undefined {
  return (error as { code?: string } | undefined)?.code
}
