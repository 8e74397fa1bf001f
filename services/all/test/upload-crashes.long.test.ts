import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Author, type Created, program } from './support/author.js'
import { Bench, type Launched, until } from './support/launched.js'

/**
 * Kills the process at each point of a resumable upload. No acknowledged offset is lost, the upload can be resumed, its
 * bytes are intact, and no segment is left once it is used or deleted.
 */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const segmentBytes = 100_000
const env = {
  LOG_LEVEL: 'fatal',
  ACCESS_TOKEN_LIFETIME: '1d',
  PENDING_SETTLE_AFTER: '1s',
  UPLOAD_SEGMENT_BYTES_MAX: String(segmentBytes),
}

/** An author that also sends headers and bytes. */
class Uploader extends Author {
  send(method: string, path: string, headers: Record<string, string>, body?: RequestInit['body']) {
    return fetch(new URL(path, this.launched.url), {
      method,
      headers: {
        'tus-resumable': '1.0.0',
        connection: 'close',
        authorization: `Bearer ${this.token}`,
        ...headers,
      },
      ...(body !== undefined && { body, duplex: 'half' }),
    })
  }

  async begin(figure: string, length: number): Promise<string> {
    const metadata = `figure ${Buffer.from(figure).toString('base64')}`
    const headers = { 'upload-length': String(length), 'upload-metadata': metadata }
    const answer = await this.send('POST', '/api/v1.4.1/upload/', headers)
    assert.equal(answer.status, 201)
    return answer.headers.get('location') ?? ''
  }

  async add(url: string, offset: number, bytes: Uint8Array): Promise<number> {
    const type = { 'content-type': 'application/offset+octet-stream' }
    const headers = { ...type, 'upload-offset': String(offset) }
    const answer = await this.send('PATCH', url, headers, bytes)
    assert.equal(answer.status, 204)
    return Number(answer.headers.get('upload-offset'))
  }

  /** Undefined when the upload does not exist. */
  async offsetOf(url: string): Promise<number | undefined> {
    const { status, headers } = await this.send('HEAD', url, {})
    assert.ok(status === 200 || status === 404, `${status}`)
    return status === 404 ? undefined : Number(headers.get('upload-offset'))
  }

  use(figure: string, url: string): Promise<Created> {
    const data = [{ name: 'large', type: 'file', upload: url }]
    return this.json<Created>('POST', 'revision/', { figure, data })
  }
}

const place = bench.dir().then(async (dataDir) => {
  const author = new Uploader(await bench.start({ dataDir, env }))
  await author.signUp()
  const figure = await author.newFigure()
  assert.equal(await author.launched.stop(), 0)
  return { dataDir, author, figure }
})

/** The objects below `resumable/` whose first bytes are among those of `bytes`. */
async function objectsOf(dataDir: string, bytes: Buffer): Promise<string[]> {
  const root = join(dataDir, 'objects', 'resumable')
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  const found: string[] = []
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    if (bytes.includes((await readFile(path)).subarray(0, 32))) found.push(path)
  }
  return found
}

/** Before and after these occurrences of the point. */
const around = (name: string, ...times: number[]) =>
  times.flatMap((time) => [`${name}.before:${time}`, `${name}.after:${time}`])

async function launch(point: string): Promise<Launched> {
  const { dataDir, author } = await place
  author.launched = await bench.start({ dataDir, env: { ...env, FAIL_AT: point } })
  return author.launched
}

for (const point of [
  ...['committing', 'committed'].map((when) => `revisions.tx.${when}:1`),
  ...around('revisions.put', 2, 3),
  ...around('revisions.write', 1, 3, 4, 5),
]) {
  test(`an upload in two requests survives a kill at ${point}`, async () => {
    const { dataDir, author, figure } = await place
    const bytes = randomBytes(350_000)
    let url = ''
    let acknowledged = 0
    const launched = await launch(point)
    const act = async () => {
      url = await author.begin(figure, bytes.length)
      acknowledged = await author.add(url, 0, bytes.subarray(0, 150_000))
      acknowledged = await author.add(url, acknowledged, bytes.subarray(150_000))
    }
    await act().catch(() => {})
    assert.equal(await launched.ended, 'SIGKILL', `${point} was not reached`)

    author.launched = await bench.start({ dataDir, env })
    url ||= await author.begin(figure, bytes.length)
    const offset = (await author.offsetOf(url)) ?? assert.fail('upload not found')
    assert.ok(
      offset >= acknowledged,
      `${offset} bytes are stored, ${acknowledged} were acknowledged`,
    )
    assert.ok(offset === 150_000 || offset % segmentBytes === 0 || offset > 150_000)
    if (offset < bytes.length) await author.add(url, offset, bytes.subarray(offset))
    const { data } = await author.use(figure, url)
    const stored = await author.json<{ data: string }>('GET', `data/${data[0]?.api_id}/`)
    assert.ok(Buffer.from(stored.data, 'base64').equals(bytes))
    assert.deepEqual(await objectsOf(dataDir, bytes), [])
    assert.equal(await author.launched.stop(), 0)
  })
}

// The counts follow the one check, three objects and five writes of the upload.
for (const point of [
  ...around('revisions.CheckAccess', 3),
  ...around('revisions.put', 4),
  ...around('revisions.Reserve', 1),
  ...around('revisions.write', 6),
  ...around('revisions.Activate', 1),
]) {
  test(`using an upload survives a kill at ${point}`, async () => {
    const { dataDir, author, figure } = await place
    const bytes = randomBytes(250_000)
    const launched = await launch(point)
    const url = await author.begin(figure, bytes.length)
    await author.add(url, 0, bytes)
    const made = await author.use(figure, url).catch(() => undefined)
    assert.equal(await launched.ended, 'SIGKILL', `${point} was not reached`)
    author.launched = await bench.start({ dataDir, env })
    // The upload was used completely or not at all; then it is used now.
    const offset = await author.offsetOf(url)
    assert.ok(offset === undefined || (offset === bytes.length && !made))
    if (offset !== undefined) {
      const { data } = await author.use(figure, url)
      const stored = await author.json<{ data: string }>('GET', `data/${data[0]?.api_id}/`)
      assert.ok(Buffer.from(stored.data, 'base64').equals(bytes))
    }
    await until(async () => {
      const { revisions } = await author.json<{ revisions: Created[] }>('GET', `figure/${figure}/`)
      const newest = revisions.at(-1)
      if (!newest) return false
      const { data } = await author.json<Created>('GET', `revision/${newest.api_id}/`)
      const stored = await author.json<{ data: string }>('GET', `data/${data[0]?.api_id}/`)
      return Buffer.from(stored.data, 'base64').equals(bytes)
    }, 'the revision with the bytes of the upload')
    await until(
      async () => (await objectsOf(dataDir, bytes)).length === 0,
      'the segments to be deleted',
    )
    assert.equal(await author.launched.stop(), 0)
  })
}

for (const point of around('revisions.write', 6)) {
  test(`deleting an upload survives a kill at ${point}`, async () => {
    const { dataDir, author, figure } = await place
    const bytes = randomBytes(250_000)
    const launched = await launch(point)
    const url = await author.begin(figure, bytes.length)
    await author.add(url, 0, bytes)
    await author.send('DELETE', url, {}).catch(() => {})
    assert.equal(await launched.ended, 'SIGKILL', `${point} was not reached`)
    author.launched = await bench.start({ dataDir, env })
    const offset = await author.offsetOf(url)
    assert.ok(offset === undefined || offset === bytes.length)
    if (offset !== undefined) await author.send('DELETE', url, {})
    assert.deepEqual(await objectsOf(dataDir, bytes), [])
    assert.equal(await author.launched.stop(), 0)
  })
}

test('uploads 200 MB in one request and stores them in bounded memory', async (t) => {
  const { dataDir, author, figure } = await place
  const unsplit = { ...env, UPLOAD_SEGMENT_BYTES_MAX: '64MiB' }
  author.launched = await bench.start({ dataDir, env: unsplit })
  const chunk = randomBytes(64 * 1024)
  const chunks = 3200
  const url = await author.begin(figure, chunks * chunk.length)
  const memory = async () => {
    const status = await readFile(`/proc/${author.launched.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
  }
  const before = await memory()
  let peak = 0
  const watch = setInterval(async () => {
    peak = Math.max(peak, (await memory()) - before)
  }, 50)
  try {
    const started = performance.now()
    const body = ReadableStream.from(
      (async function* () {
        for (let n = 0; n < chunks; n++) yield chunk
      })(),
    )
    const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    const answer = await author.send('PATCH', url, type, body)
    assert.equal(answer.status, 204)
    const uploaded = performance.now()
    await author.use(figure, url)
    const used = performance.now()
    const rate = (ms: number) => `${Math.round((chunks * chunk.length) / 1000 / ms)} MB/s`
    t.diagnostic(
      `upload ${rate(uploaded - started)}, creating the revision ${rate(used - uploaded)}`,
    )
  } finally {
    clearInterval(watch)
  }
  t.diagnostic(`memory grew by ${Math.round(peak / 2 ** 20)} MiB`)
  assert.ok(peak < 200 * 2 ** 20, `memory grew by ${peak} bytes`)
  assert.equal(await author.launched.stop(), 0)
})
