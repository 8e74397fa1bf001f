import { ConfigError } from '@figbase/kit'

/** Something that the person who starts Figbase can mend: what happened, and what to do. */
export class Failure extends Error {
  constructor(
    what: string,
    readonly remedy = '',
    options?: ErrorOptions,
  ) {
    super(what, options)
  }
}

/** One clear message; the stack trace is for those who ask for it with FIGBASE_DEBUG=1. */
export function describe(thrown: unknown, debug: boolean): string {
  const error = first(thrown)
  if (debug && error instanceof Error) return `figbase: ${error.stack}${causeOf(error)}`
  if (error instanceof Failure) return `figbase: ${error.message}${indent(error.remedy)}`
  // Says by itself which setting, and what is wrong with it.
  if (error instanceof ConfigError) return `figbase: ${indent(error.message).trimStart()}`
  const message = error instanceof Error ? error.message || codeOf(error) : String(error)
  return `figbase: ${message}${indent('FIGBASE_DEBUG=1 shows where this comes from.')}`
}

/** The `code` that Node.js and PostgreSQL put on their errors. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

// When stopping fails as well, the reason for stopping is the one that helps.
const first = (error: unknown): unknown =>
  error instanceof Error && 'suppressed' in error ? first(error.suppressed) : error

const causeOf = (error: Error) => (error.cause ? `\ncaused by ${String(error.cause)}` : '')

const indent = (text: string) => (text ? `\n  ${text.replaceAll('\n', '\n  ')}` : '')
