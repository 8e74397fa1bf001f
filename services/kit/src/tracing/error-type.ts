import { Code, ConnectError } from '@connectrpc/connect'
import { sqlState } from '../db/pg-errors.js'

/** A word for the kind of a failure, as `error.type` wants it: no part of its message. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof ConnectError) return Code[error.code]
  return sqlState(error) ?? (error instanceof Error ? error.name : 'other')
}
