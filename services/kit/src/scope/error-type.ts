import { Code, ConnectError } from '@connectrpc/connect'
import { sqlState } from '../errors/sql-state.js'

/** The kind of an error for the attribute `error.type`; contains no part of its message. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof ConnectError) return Code[error.code]
  return sqlState(error) ?? (error instanceof Error ? error.name : 'other')
}
