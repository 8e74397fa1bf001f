import { FigbaseError } from '@figbase/client'
import { type ExitCode, exitCode } from './exit-codes.js'
import { plain, toJson } from './text.js'

/** An error that the command finds itself. */
export class CommandError extends Error {
  constructor(
    readonly code: ExitCode,
    readonly error: string,
    /** What is wrong, and what to do. */
    message: string,
  ) {
    super(message)
  }
}

export const usageError = (message: string) => new CommandError(exitCode.usage, 'usage', message)
export const notFound = (message: string) =>
  new CommandError(exitCode.notFound, 'not_found', message)

/** Prints an error, of one of several objects if there is a `name`. Returns the exit code for it. */
export function fail(error: unknown, json: boolean, name?: string): ExitCode {
  const { code, line, ...told } = describe(error)
  const of = name === undefined ? '' : `${plain(name)}: `
  const text = json ? toJson({ ...told, name }) : `figbase: ${of}${plain(line ?? told.detail)}`
  process.stderr.write(`${text}\n`)
  return code
}

type Description = {
  code: ExitCode
  error: string
  detail: string
  /** For people, if it is not the detail. */
  line?: string
  status?: number
  requestId?: string
}

export function describe(error: unknown): Description {
  if (error instanceof CommandError) {
    return { code: error.code, error: error.error, detail: error.message }
  }
  if (error instanceof FigbaseError) return describeAnswer(error)
  const { message, code } = error as NodeJS.ErrnoException
  return { code: exitCode.failure, error: code ?? 'failed', detail: message ?? String(error) }
}

function describeAnswer(answer: FigbaseError): Description {
  const { status, error, requestId, detail = answer.message } = answer
  const known = status > 0 ? `${status} ${error}` : error
  return {
    code: codeOf(status),
    error,
    detail,
    line: [`${known}: ${detail}`, hintOf(answer)].filter(Boolean).join('. '),
    ...(status > 0 && { status }),
    ...(requestId !== undefined && { requestId }),
  }
}

/** 429 is a failure like 503: the same command succeeds later. */
function codeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCode.notAllowed
  if (status === 404 || status === 410) return exitCode.notFound
  if (status >= 400 && status < 500 && status !== 429) return exitCode.invalid
  return exitCode.failure
}

function hintOf({ status, error }: FigbaseError): string | undefined {
  if (status === 401) return 'Sign in with: figbase login'
  if (error === 'insufficient_key_access') return 'Use an API key with more access'
  if (error === 'unreachable') return 'Check the address and the network'
  return undefined
}
