import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelRequest, Reply } from '@figbase/stories-ai/testing/model-server'
import { type Ask, isAnswered, partsBeforeLeaving } from './asks.js'
import type { Sent } from './expected.js'
import type { Place, Post } from './place.js'
import type { AiProduct } from './product.js'
import { endOfStream, readParts } from './streams.js'

const password = 'correct horse battery'

/** A user of the API who sends one request after the other. */
export class Asker {
  readonly username: string
  /** In the figures of this user, so that a request to the model tells who asked. */
  readonly marker: string
  place: Place | undefined
  /** What the model got. */
  readonly sent: Sent[] = []
  /** The ids of requests whose process was killed. */
  readonly orphans: string[] = []
  /** Answers that are not those of the model. */
  readonly problems: string[] = []
  #token = ''
  #ask: Ask | undefined
  #repliesGiven = 0

  constructor(
    readonly product: AiProduct,
    number: number,
  ) {
    this.username = `asker${number}`
    this.marker = `marker-${number}-`
  }

  async signUp(): Promise<void> {
    const { username } = this
    const user = { username, email: `${username}@example.org`, password }
    this.#token = (await this.post<{ auth: { access: string } }>('user/', user)).auth.access
  }

  readonly post: Post = async <T>(path: string, body: object) => {
    const response = await this.#fetch(path, body)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  #fetch(path: string, body: object, signal?: AbortSignal): Promise<Response> {
    return fetch(`${this.product.url}/api/v1.4.1/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        connection: 'close',
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
      },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
  }

  /** The answer of the model to the next request of this user. */
  reply(request: ModelRequest): Reply {
    const ask = this.#ask
    const reply = ask?.replies[this.#repliesGiven++]
    if (!ask || !reply) throw new Error(`${this.username}: ${ask?.kind} was sent too often`)
    this.sent.push({ username: this.username, ask, request, reply })
    return reply
  }

  /** The last request to the model that the last request of this user has caused. */
  lastSent(): Sent | undefined {
    const last = this.sent.at(-1)
    return last?.ask === this.#ask ? last : undefined
  }

  /** Sends a request; `isCut`: a process was killed meanwhile, so that anything may be answered. */
  async send(ask: Ask, isCut: () => boolean): Promise<void> {
    this.#ask = ask
    this.#repliesGiven = 0
    const problem = await this.#problemOf(ask, isCut).catch((error: unknown) => String(error))
    if (problem && !isCut())
      this.problems.push(`${ask.kind} ${ask.route} ${ask.isStream}: ${problem}`)
  }

  async #problemOf(ask: Ask, isCut: () => boolean): Promise<string | undefined> {
    const leave = new AbortController()
    const path = `deep_insight/${ask.path}`
    if (ask.kind === 'left') {
      const response = this.#fetch(path, ask.body, leave.signal)
      response.catch(() => {})
      if (ask.isStream) await readParts(await response, partsBeforeLeaving)
      else await this.#until(() => this.#repliesGiven > 0, isCut)
      leave.abort()
      // The next request of this user is the only one in the ledger again.
      await this.#until(() => this.#isSettled(), isCut)
      return undefined
    }
    const response = await this.#fetch(path, ask.body)
    const text = await response.text()
    const answer =
      ask.isStream && response.ok ? endOfStream(text) : { ok: response.ok, text: textIn(text) }
    if (answer.ok !== isAnswered(ask.kind)) return `${response.status} ${text.slice(0, 300)}`
    if (answer.ok && ask.text !== undefined && answer.text !== ask.text)
      return `says ${answer.text}`
    return undefined
  }

  async #until(isTrue: () => boolean | Promise<boolean>, isCut: () => boolean) {
    while (!isCut() && !(await isTrue())) await sleep(20)
  }

  async #isSettled() {
    const text = 'select from ai_request where username = $1 and not id = any($2)'
    // The server of the database may be gone.
    const rows = await this.product
      .query(text, [this.username, this.orphans])
      .catch(() => undefined)
    return rows?.length === 0
  }
}

const textIn = (body: string): string | undefined => {
  const { response } = JSON.parse(body) as { response?: string }
  return response
}
