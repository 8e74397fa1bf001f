import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type Launched, until } from './launched.js'

/** Starts the product from a clone: it first installs and builds, if needed. */
export const launcher = fileURLToPath(new URL('../../../start.mjs', import.meta.url))
/** The same with what is built. */
export const program = fileURLToPath(new URL('start-product.js', import.meta.url))

/** A GIF: its thumbnail is a separate object. */
export const pixels = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

export type Created = { api_id: string; data: { api_id: string }[]; is_processing: boolean }

/** A user of the API, on successive running instances. */
export class Author {
  token = ''

  constructor(public launched: Launched) {}

  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(`${this.launched.url}/api/v1.4.1/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        connection: 'close',
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.request(method, path, body)
    assert.ok(response.ok, `${method} ${path}: ${response.status}`)
    return (await response.json()) as T
  }

  async signUp(): Promise<void> {
    const user = { username: 'ada', email: 'ada@example.org', password: 'correct horse' }
    this.token = (await this.json<{ auth: { access: string } }>('POST', 'user/', user)).auth.access
  }

  /** Whether the server knows this user. */
  async signIn(user: { username: string; password: string }): Promise<boolean> {
    const response = await fetch(`${this.launched.url}/api/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(user),
    })
    if (response.status === 401) return false
    assert.equal(response.status, 200)
    this.token = ((await response.json()) as { access: string }).access
    return true
  }

  async newFigure(): Promise<string> {
    const workspace = await this.json<Created>('POST', 'workspace/', { name: 'W' })
    const inside = { name: 'A', workspace: workspace.api_id }
    const analysis = await this.json<Created>('POST', 'analysis/', inside)
    const place = { name: 'F', analysis: analysis.api_id }
    return (await this.json<Created>('POST', 'figure/', place)).api_id
  }

  tryPublish(figure: string, client_id?: string): Promise<Response> {
    const data = [
      { name: 'image', type: 'image', data: pixels },
      { name: 'table', type: 'file', data: randomBytes(50_000).toString('base64') },
    ]
    return this.request('POST', 'revision/', { figure, data, client_id })
  }

  async publish(figure: string, clientId?: string): Promise<Created> {
    const response = await this.tryPublish(figure, clientId)
    assert.equal(response.status, 201)
    return (await response.json()) as Created
  }

  async isIntact({ api_id, data }: Created): Promise<void> {
    const first = await this.json<{ data: string }>('GET', `data/${data[0]?.api_id}/`)
    assert.equal(first.data, pixels)
    const path = `revision/${api_id}/`
    await until(
      async () => !(await this.json<Created>('GET', path)).is_processing,
      'the end of the processing',
    )
    const { thumbnail } = await this.json<{ thumbnail: string }>('GET', `${path}thumbnail/64/`)
    assert.ok(thumbnail)
  }
}
