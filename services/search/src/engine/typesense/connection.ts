import type { Client } from 'typesense'
import { SearchUnavailable } from '../port.js'
import type { TypesenseSettings } from './settings.js'

/** Calls of a Typesense server. Errors are those of `failureOf`. */
export type Connection = {
  settings: TypesenseSettings
  /** A call that a user waits for. It is aborted when its time is over. */
  search<T>(call: (client: Client, signal: AbortSignal) => Promise<T>): Promise<T>
  /** A call that changes or reads collections, aliases or documents. May be repeated. */
  write<T>(call: (client: Client) => Promise<T>): Promise<T>
}

/** Further attempts, because an idle connection may have been closed. */
const searchRetriesMax = 1
const writeRetriesMax = 2
const retryDelaySeconds = 0.1

export function createConnection(settings: TypesenseSettings): Connection {
  const clientOf = async (timeoutMs: number, numRetries: number) => {
    // Loaded when it is needed first, because most installations search without it.
    const { Client } = await import('typesense')
    return new Client({
      nodes: [{ url: settings.url }],
      apiKey: settings.apiKey,
      connectionTimeoutSeconds: timeoutMs / 1000,
      numRetries,
      retryIntervalSeconds: retryDelaySeconds,
      logLevel: 'silent',
    })
  }
  const { searchTimeoutMs, writeTimeoutMs } = settings
  let searching: Promise<Client> | undefined
  let writing: Promise<Client> | undefined
  return {
    settings,
    async search(call) {
      searching ??= clientOf(searchTimeoutMs, searchRetriesMax)
      const client = await searching
      const signal = AbortSignal.timeout(searchTimeoutMs)
      return call(client, signal).catch((err: unknown) => {
        throw signal.aborted
          ? new SearchUnavailable(`Typesense did not respond within ${searchTimeoutMs} ms`)
          : failureOf(err)
      })
    },
    async write(call) {
      writing ??= clientOf(writeTimeoutMs, writeRetriesMax)
      return call(await writing).catch((err: unknown) => {
        throw failureOf(err)
      })
    },
  }
}

/** An answer of Typesense that is not a success. */
export class TypesenseFailure extends Error {
  override name = 'TypesenseFailure'

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(`Typesense responded with status ${status}: ${message}`)
  }
}

const keyRefused =
  'Typesense refuses TYPESENSE_API_KEY: set it to a key with the actions `collections:*`, `documents:*` and `aliases:*`'

/** Timed out, too many requests. */
const retriedStatuses = [408, 429]

/** The failure for an HTTP status. */
export function failureOfStatus(status: number, message: string): Error {
  if (status === 401 || status === 403) return new SearchUnavailable(keyRefused)
  const failure = new TypesenseFailure(status, message)
  const isUnavailable = status >= 500 || retriedStatuses.includes(status)
  return isUnavailable ? new SearchUnavailable(failure.message) : failure
}

/** Has no cause, because errors of the client contain the API key. */
function failureOf(err: unknown): unknown {
  if (err instanceof SearchUnavailable || err instanceof TypesenseFailure) return err
  if (!(err instanceof Error)) return new SearchUnavailable('Typesense cannot be reached')
  if ('httpStatus' in err && typeof err.httpStatus === 'number')
    return failureOfStatus(err.httpStatus, err.message)
  const code = 'code' in err && typeof err.code === 'string' ? err.code : ''
  if ('isAxiosError' in err || err instanceof SyntaxError) {
    const why = [code, err.message].filter(Boolean).join(': ')
    return new SearchUnavailable(`Typesense cannot be reached (${why})`)
  }
  return err
}

/** Undefined if the object does not exist. */
export async function ifFound<T>(result: Promise<T>): Promise<T | undefined> {
  return result.catch((err: unknown) => {
    if (err instanceof TypesenseFailure && err.status === 404) return undefined
    throw err
  })
}
