import { randomUUID } from 'node:crypto'
import { seededRandom } from '@figbase/kit/testing'
import { pixels } from '../author.js'
import { confirmationToken } from './mails.js'
import { type Kind, Tally } from './tally.js'
import { User } from './user.js'

type Created = { api_id: string }
export type Place = { workspace: string; analysis: string; figures: string[] }

/** A write, and whether it was acknowledged. */
export type Written = { key: string; isAcknowledged: boolean }

export type LoadOptions = { url: string; dataDir: string; seed: number; workers: number }

const mentionEvery = 10

/**
 * Users who concurrently read, publish, comment and rename until stopped. The seed determines their actions; each has
 * its own figure, so that its last name is known.
 */
export class Load {
  tally = new Tally()
  readonly author: User
  readonly mentioned: User
  place: Place = { workspace: '', analysis: '', figures: [] }
  readonly comments: Written[] = []
  readonly revisions: Written[] = []
  /** Possible names by figure, starting with the last acknowledged one. */
  readonly names = new Map<string, string[]>()
  readonly #dataDir: string
  readonly #random: () => number
  readonly #workers: number
  #running: Promise<void>[] = []
  #isOver = false

  constructor({ url, dataDir, seed, workers }: LoadOptions) {
    this.#dataDir = dataDir
    this.#random = seededRandom(seed)
    this.#workers = workers
    this.author = new User(url, `author-${seed}`)
    this.mentioned = new User(url, `reader-${seed}`)
  }

  async prepare(): Promise<void> {
    const { author, mentioned } = this
    await author.signUp()
    await mentioned.signUp()
    const workspace = (await author.request<Created>('POST', 'workspace/', { name: 'W' })).api_id
    const token = await confirmationToken(this.#dataDir, mentioned.username)
    await mentioned.request('POST', `user/${mentioned.username}/verify_email/`, { token })
    const member = { username: mentioned.username, membership_type: 'viewer' }
    await author.request('POST', `workspace/${workspace}/members/add/`, member)
    const analysis = (await author.request<Created>('POST', 'analysis/', { name: 'A', workspace }))
      .api_id
    const figures: string[] = []
    while (figures.length < this.#workers) {
      const figure = await author.request<Created>('POST', 'figure/', { name: 'before', analysis })
      figures.push(figure.api_id)
      this.names.set(figure.api_id, ['before'])
    }
    this.place = { workspace, analysis, figures }
    // At least one readable revision.
    while (!this.revisions.at(-1)?.isAcknowledged) {
      this.revisions.push(await this.#publish(figures[0] ?? ''))
    }
  }

  /** Results since the last call. */
  newTally(): Tally {
    const before = this.tally
    this.tally = new Tally()
    return before
  }

  start(): void {
    this.#isOver = false
    this.#running = this.place.figures.map((figure) => this.#work(figure))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }

  async #work(figure: string): Promise<void> {
    while (!this.#isOver) {
      const dice = this.#random()
      if (dice < 0.3) await this.#send('read', 'GET', `figure/${figure}/`)
      else if (dice < 0.4) await this.#send('read', 'GET', `analysis/${this.place.analysis}/`)
      else if (dice < 0.5) await this.#send('read', 'GET', this.#anyRevision())
      else if (dice < 0.6)
        await this.#send('read', 'GET', `comment/?target_type=figure&target_id=${figure}`)
      else if (dice < 0.8) await this.#comment(figure)
      else if (dice < 0.9) this.revisions.push(await this.#publish(figure))
      else await this.#rename(figure)
    }
  }

  #anyRevision(): string {
    const known = this.revisions.filter(({ isAcknowledged }) => isAcknowledged)
    return `revision/${known[Math.floor(this.#random() * known.length)]?.key}/`
  }

  async #comment(figure: string): Promise<void> {
    const key = randomUUID()
    const mention = this.comments.length % mentionEvery === 0 ? ` @${this.mentioned.username}` : ''
    const content = `${key}${mention}`
    const body = { target_type: 'figure', target_id: figure, content }
    const isAcknowledged = await this.#send('write', 'POST', 'comment/', body)
    this.comments.push({ key, isAcknowledged })
  }

  async #publish(figure: string): Promise<Written> {
    const client_id = randomUUID()
    const data = [{ name: 'image', type: 'image', data: pixels }]
    const isAcknowledged = await this.#send('write', 'POST', 'revision/', {
      figure,
      client_id,
      data,
    })
    return { key: client_id, isAcknowledged }
  }

  async #rename(figure: string): Promise<void> {
    const name = randomUUID()
    const isAcknowledged = await this.#send('write', 'PATCH', `figure/${figure}/`, { name })
    const possible = isAcknowledged ? [] : (this.names.get(figure) ?? [])
    this.names.set(figure, [...possible, name])
  }

  async #send(kind: Kind, method: string, path: string, body?: unknown): Promise<boolean> {
    const answer = await this.author.send(method, path, body)
    this.tally.add(kind, `${method} ${path}`, answer)
    return answer.outcome === 'answered'
  }
}
