import pg from 'pg'
import { sqlState } from '../errors/sql-state.js'

export const serializationFailure = '40001'

/** Name of the violated constraint, if the error is a constraint violation. */
export function constraintOf(error: unknown): string | undefined {
  return (error as { constraint?: string } | undefined)?.constraint
}

/** Thrown in a transaction to have it retried, as after a serialization failure. */
export class ConcurrentChange extends Error {
  override name = 'ConcurrentChange'
  readonly code = serializationFailure
}

/** PostgreSQL reported that the statement failed; false if its outcome is unknown (connection lost). */
export function isStatementError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isServerUnavailable(error)
}

const unavailableStates = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: starting or stopping
  '53300', // too_many_connections
])
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT', // Unix socket missing
])
/** Errors of pg that have no code. */
const unavailableMessages =
  /^Connection terminated|^Client has encountered a connection error|^Client was closed|^timeout exceeded when trying to connect|^timeout expired|^Query read timeout/

const isNetworkError = (error: NodeJS.ErrnoException) =>
  ['connect', 'read', 'write', 'getaddrinfo'].includes(String(error.syscall))

/** The server is unavailable or the connection was lost; the statement itself may be correct. */
export function isServerUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = sqlState(error)
  if (typeof code === 'string') {
    if (unavailableStates.has(code) || /^08...$/.test(code)) return true
    if (unavailableCodes.has(code) && isNetworkError(error)) return true
  }
  return unavailableMessages.test(error.message)
}
