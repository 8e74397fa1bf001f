import type { Credentials, Tokens } from './credentials.js'
import { FigbaseError } from './figbase-error.js'

/** The JSON of a POST without credentials. Rejects with a FigbaseError. */
export type Post = (path: string, body: object) => Promise<unknown>

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
      try {
        const renewed = await this.#post('/api/token/refresh/', { refresh: before.refresh })
        return { ...before, ...(renewed as Partial<Tokens>) }
      } catch (error) {
        const isExpired = error instanceof FigbaseError && error.status === 401
        const knowsPassword = this.#credentials && 'password' in this.#credentials
        if (!isExpired || !knowsPassword) throw error
      }
    }
    return this.#signIn()
  }

  async #signIn(): Promise<Tokens> {
    const credentials = this.#credentials
    if (!credentials || !('password' in credentials)) {
      throw new FigbaseError({ status: 401, error: 'token_not_valid', detail: 'sign in again' })
    }
    const { username, password } = credentials
    return (await this.#post('/api/token/', { username, password })) as Tokens
  }
}
