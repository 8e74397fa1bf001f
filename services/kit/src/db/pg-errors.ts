import pg from 'pg'

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

/** PostgreSQL has answered that it did not do what was asked; false where nobody knows. */
export function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isServerAway(error)
}

const awayStates = new Set([
  '57P01', // it is told to stop
  '57P02', // it has crashed
  '57P03', // it is starting, or stopping
  '53300', // it has as many connections as it may
])
const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT', // of its socket
])
/** Of pg, which gives them no code. */
const awayMessages =
  /^Connection terminated|^Client has encountered a connection error|^Client was closed|^timeout exceeded when trying to connect|^timeout expired|^Query read timeout/

const isOfNetwork = (error: NodeJS.ErrnoException) =>
  ['connect', 'read', 'write', 'getaddrinfo'].includes(String(error.syscall))

/** A server does not answer: nothing is wrong with what was asked of it. */
export function isServerAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = sqlState(error)
  if (typeof code === 'string') {
    if (awayStates.has(code) || /^08...$/.test(code)) return true
    if (awayCodes.has(code) && isOfNetwork(error)) return true
  }
  return awayMessages.test(error.message)
}
