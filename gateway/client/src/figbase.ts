import type { Credentials, Tokens } from './credentials.js'
import { FigbaseError } from './figbase-error.js'
import { type Consume, type SendRequest, type SendSettings, send, sendOnce } from './send.js'
import { type Post, Session } from './session.js'
import type { AnyInit, InitArgument, Method, PathOf, ResultOf } from './types.js'
import { baseOf, fillPath } from './urls.js'

export type FigbaseOptions = {
  /** The address of the server, as `https://figbase.example.org`. */
  url: string
  credentials?: Credentials | undefined
  /** Is called with each new pair of tokens, for programs that keep them. */
  onTokens?: (tokens: Tokens) => void
  /** Limit of each attempt of a request, in milliseconds; default 60,000. */
  timeoutMs?: number
  /** How often a request is repeated while the server is unavailable; default 4. */
  retriesMax?: number
  /** Of each request, as `User-Agent`. */
  headers?: Record<string, string>
  /** Instead of the `fetch` of the platform. */
  fetch?: typeof fetch
}

type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...init: InitArgument<P, M>
) => Promise<ResultOf<P, M>>

/**
 * A server, and who calls it. The paths, members and answers are those of the API (`/docs/api/` of the server). Each call
 * rejects with a FigbaseError, or with the reason of its `signal`.
 */
export type Figbase = {
  /** The address of the server, without a slash at the end. */
  readonly url: string
  get: Call<'get'>
  post: Call<'post'>
  put: Call<'put'>
  patch: Call<'patch'>
  delete: Call<'delete'>
  /** Any request, with the same credentials and retries. `consume` reads the response; an error of it repeats the request. */
  send<T>(request: SendRequest, consume: Consume<T>): Promise<T>
}

const timeoutMsDefault = 60_000
const retriesDefault = 4

export function createFigbase(options: FigbaseOptions): Figbase {
  const { credentials, onTokens, timeoutMs = timeoutMsDefault } = options
  const settings: Omit<SendSettings, 'session'> = {
    base: baseOf(options.url),
    fetch: options.fetch ?? ((...args) => fetch(...args)),
    headers: options.headers ?? {},
    timeoutMs,
    retriesMax: options.retriesMax ?? retriesDefault,
  }
  const post: Post = (path, body) => {
    const headers = new Headers({ ...settings.headers, 'content-type': 'application/json' })
    return sendOnce(
      settings,
      { method: 'POST', path, body: JSON.stringify(body) },
      headers,
      readJson,
    )
  }
  const session = new Session(credentials, post, onTokens)
  const all: SendSettings = { ...settings, session }
  const call =
    (method: Method) =>
    async (path: string, { path: values, body, ...init }: AnyInit = {}) => {
      const request = {
        ...init,
        method: method.toUpperCase(),
        path: fillPath(path, values),
        body: body === undefined ? undefined : JSON.stringify(body),
      }
      return (await send(all, request, readJson)) as never
    }
  return {
    url: settings.base,
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
    send: (request, consume) => send(all, request, consume),
  }
}

/** The JSON of a response; undefined if it is empty. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    const detail = 'the response is not JSON'
    const requestId = response.headers.get('x-request-id') ?? undefined
    throw new FigbaseError({ status: 0, error: 'invalid_response', detail, requestId }, { cause })
  }
}
