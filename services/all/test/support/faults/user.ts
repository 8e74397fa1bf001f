import { setTimeout as sleep } from 'node:timers/promises'

/** The outcome of a request. */
export type Outcome =
  /** Successful. */
  | 'answered'
  /** 503, 504 or 429 with an error of the API: can be retried. */
  | 'refused'
  /** The connection broke before the end of the response. */
  | 'cut'
  /** No outcome within the timeout. */
  | 'hung'
  /** Any other response. */
  | 'wrong'

export type Answer = { outcome: Outcome; status: number; body: unknown }

const hungMs = 60_000
const refusals = [429, 503, 504]

/** A user of the API that classifies all responses. */
export class User {
  token = ''

  constructor(
    readonly url: string,
    readonly username: string,
  ) {}

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const signal = AbortSignal.timeout(hungMs)
    try {
      const response = await fetch(`${this.url}/api/v1.4.1/${path}`, {
        method,
        signal,
        headers: {
          'content-type': 'application/json',
          ...(this.token && { authorization: `Bearer ${this.token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { ...read(response, text), status: response.status }
    } catch (error) {
      if (signal.aborted) return { outcome: 'hung', status: 0, body: undefined }
      const { cause } = error as { cause?: { socket?: object } }
      // How long the connection was used, if it is known.
      return { outcome: 'cut', status: 0, body: { error: `${error}: ${cause}`, ...cause?.socket } }
    }
  }

  /** Retries until the request succeeds. */
  async request<T>(method: string, path: string, body?: unknown): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.send(method, path, body)
      if (answer.outcome === 'answered') return answer.body as T
      const isOver = attempt === 100 || answer.outcome === 'wrong'
      if (isOver) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer)}`)
      await sleep(100)
    }
  }

  async signUp(): Promise<void> {
    const { username } = this
    const account = { username, email: `${username}@example.org`, password: 'correct horse' }
    type Registered = { auth: { access: string } }
    this.token = (await this.request<Registered>('POST', 'user/', account)).auth.access
  }
}

function read({ status, ok }: Response, text: string): Pick<Answer, 'outcome' | 'body'> {
  let body: unknown
  try {
    body = text === '' ? undefined : JSON.parse(text)
  } catch {
    return { outcome: 'wrong', body: text.slice(0, 200) }
  }
  if (ok) return { outcome: 'answered', body }
  const isOfTheApi = typeof body === 'object' && body !== null && 'error' in body
  return { outcome: refusals.includes(status) && isOfTheApi ? 'refused' : 'wrong', body }
}
