import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Bench, type Launched, until } from './launched.js'

/** The launcher as people start it, with the real product. */
const program = fileURLToPath(new URL('../../start.mjs', import.meta.url))
const pixels =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

type Created = { api_id: string; data: { api_id: string }[]; is_processing: boolean }

/** A user of the API on one running instance after another. */
class Author {
  #token = ''

  constructor(public launched: Launched) {}

  async request(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.launched.url}/api/v1.4.1/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        connection: 'close',
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
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
    this.#token = (await this.json<{ auth: { access: string } }>('POST', 'user/', user)).auth.access
  }

  async newFigure(): Promise<string> {
    const workspace = await this.json<Created>('POST', 'workspace/', { name: 'W' })
    const inside = { name: 'A', workspace: workspace.api_id }
    const analysis = await this.json<Created>('POST', 'analysis/', inside)
    const place = { name: 'F', analysis: analysis.api_id }
    return (await this.json<Created>('POST', 'figure/', place)).api_id
  }

  publish(figure: string): Promise<Created> {
    const data = [
      { name: 'image', type: 'image', data: pixels },
      { name: 'table', type: 'file', data: randomBytes(50_000).toString('base64') },
    ]
    return this.json<Created>('POST', 'revision/', { figure, data })
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

  /** An upload that stays unfinished: it has begun to be stored when the promise resolves. */
  async hang(figure: string): Promise<void> {
    const { hostname, port } = new URL(this.launched.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    const head = `{"figure": "${figure}", "data": [{"type": "file", "data": "${'A'.repeat(2 ** 20)}`
    socket.write(
      [
        'POST /api/v1.4.1/revision/ HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${this.#token}`,
        'Content-Type: application/json',
        'Content-Length: 99999999',
        '',
        head,
      ].join('\r\n'),
    )
    await until(async () => (await unfinished(this.launched)).length > 0, 'the upload to begin')
  }
}

async function unfinished({ options }: Launched): Promise<string[]> {
  const incoming = join(options.dataDir, 'objects', '.incoming')
  const files = await readdir(incoming, { recursive: true, withFileTypes: true }).catch(() => [])
  return files.filter((file) => file.isFile()).map((file) => file.name)
}

const crash = async (launched: Launched) => {
  launched.child.kill('SIGKILL')
  await launched.ended
}

for (const args of [[], ['--distributed']]) {
  const topology = args[0] ?? 'all-in-one'

  test(`${topology}: what was published is there after a restart and after kill -9`, async () => {
    const options = { dataDir: await bench.dir(), args, env: { LOG_LEVEL: 'error' } }
    const author = new Author(await bench.start(options))
    await author.signUp()
    const figure = await author.newFigure()
    const first = await author.publish(figure)
    await author.isIntact(first)

    assert.equal(await author.launched.stop(), 0)
    author.launched = await bench.start(options)
    await author.isIntact(first)

    const published = await Promise.all(Array.from({ length: 8 }, () => author.publish(figure)))
    await author.hang(figure)
    await crash(author.launched)
    author.launched = await bench.start(options)
    for (const revision of [first, ...published]) await author.isIntact(revision)
    const { size_bytes, revisions } = await author.json<{
      size_bytes: number
      revisions: { revision_index: number }[]
    }>('GET', `figure/${figure}/`)
    const each = Buffer.from(pixels, 'base64').length + 50_000
    assert.equal(size_bytes, 9 * each)
    assert.deepEqual(
      revisions.map((revision) => revision.revision_index),
      [0, 1, 2, 3, 4, 5, 6, 7, 8],
    )
    await until(async () => (await unfinished(author.launched)).length === 0, 'the sweep')
    assert.equal(await author.launched.stop(), 0)
  })
}
