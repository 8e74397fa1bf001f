import type { Credentials, Tokens } from './credentials.js'
import { errorOf, FigbaseError } from './figbase-error.js'

/** A request without credentials. */
export type Post = (path: string, body: object, signal?: AbortSignal) => Promise<Response>

/** The `Authorization` of requests: signs in before the first one, and gets new tokens when the old ones have expired. */
export class Session {
  readonly #credentials: Credentials | undefined
  readonly #post: Post
  readonly #onTokens: (tokens: Tokens) => void
  #tokens: Tokens | undefined
  /** Requests that need new tokens at the same time wait for the same ones. */
  #renewal: Promise<void> | undefined

  constructor(
    credentials: Credentials | undefined,
    post: Post,
    onTokens: (tokens: Tokens) => void = () => {},
  ) {
    this.#credentials = credentials
    this.#post = post
    this.#onTokens = onTokens
    if (credentials && 'access' in credentials) this.#tokens = credentials
  }

  /** Undefined for an anonymous caller. Rejects with a FigbaseError if the sign-in fails. */
  async authorization(): Promise<string | undefined> {
    const credentials = this.#credentials
    if (!credentials) return undefined
    if ('apiKey' in credentials) return `Token ${credentials.apiKey}`
    if (!this.#tokens) await this.#renewed()
    return `Bearer ${this.#tokens?.access}`
  }

  /**
   * After a 401 for `rejected`: whether there is another `Authorization` to try. Rejects with a FigbaseError if the
   * sign-in fails.
   */
  async renew(rejected: string | undefined): Promise<boolean> {
    if (!rejected?.startsWith('Bearer ')) return false
    if (rejected === `Bearer ${this.#tokens?.access}`) await this.#renewed()
    return true
  }

  #renewed(): Promise<void> {
    this.#renewal ??= this.#obtain()
      .then((tokens) => {
        this.#tokens = tokens
        this.#onTokens(tokens)
      })
      .finally(() => {
        this.#renewal = undefined
      })
    return this.#renewal
  }

  async #obtain(): Promise<Tokens> {
    const before = this.#tokens
    if (before?.refresh) {
      const response = await this.#post('/api/token/refresh/', { refresh: before.refresh })
      if (response.ok) return { ...before, ...((await response.json()) as Partial<Tokens>) }
      const error = await errorOf(response)
      const mayKnowPassword = this.#credentials && 'password' in this.#credentials
      if (error.status !== 401 || !mayKnowPassword) throw error
    }
    return this.#signIn()
  }

  async #signIn(): Promise<Tokens> {
    const credentials = this.#credentials
    if (!credentials || !('password' in credentials)) {
      throw new FigbaseError({ status: 401, error: 'token_not_valid', detail: 'sign in again' })
    }
    const { username, password } = credentials
    const response = await this.#post('/api/token/', { username, password })
    if (!response.ok) throw await errorOf(response)
    return (await response.json()) as Tokens
  }
}
