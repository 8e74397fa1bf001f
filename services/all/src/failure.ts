import { ConfigError } from '@figbase/kit/config'

/** An error that the operator can fix: what happened, and what to do. */
export class Failure extends Error {
  constructor(
    what: string,
    readonly remedy = '',
    options?: ErrorOptions,
  ) {
    super(what, options)
  }
}

/** The message to print; with FIGBASE_DEBUG=1 it includes the stack trace. */
export function describe(thrown: unknown, debug: boolean): string {
  const error = rootError(thrown)
  if (debug && error instanceof Error) return `figbase-server: ${error.stack}${causeOf(error)}`
  if (error instanceof Failure) return `figbase-server: ${error.message}${indent(error.remedy)}`
  // Its message names the setting and the problem.
  if (error instanceof ConfigError) return `figbase-server: ${indent(error.message).trimStart()}`
  const message = error instanceof Error ? error.message || codeOf(error) : String(error)
  return `figbase-server: ${message}${indent('Set FIGBASE_DEBUG=1 to print the stack trace.')}`
}

/** The `code` that Node.js and PostgreSQL put on their errors. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

// When cleanup fails as well, the first error is the relevant one.
const rootError = (error: unknown): unknown =>
  error instanceof Error && 'suppressed' in error ? rootError(error.suppressed) : error

const causeOf = (error: Error) => (error.cause ? `\ncaused by ${String(error.cause)}` : '')

const indent = (text: string) => (text ? `\n  ${text.replaceAll('\n', '\n  ')}` : '')
