import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createS3Store, type ObjectStore, type S3Options } from '@figbase/kit'
import {
  type Fault,
  type FaultyProxy,
  type S3Server,
  startFaultyProxy,
  startS3Server,
  whyWithoutS3,
} from '@figbase/kit/testing'
import { Author, type Created, pixels, program } from './author.js'
import { Bench, until } from './launched.js'

/**
 * What stands between the product and its S3 server goes wrong while it is in use. What was acknowledged
 * comes back to the last byte; what was refused is refused with 503 and leaves no object; nothing hangs;
 * and when the store is back, so is the product.
 */
const missing = whyWithoutS3()
if (missing) test('the product on S3 that fails', { skip: missing }, () => {})
else {
  const MiB = 2 ** 20
  // Of one request, on a machine that does other things, too.
  const answerMsMax = 40_000
  // Longer than the attempts after which the processing ends without a picture.
  const outageMs = 15_000
  const bench = new Bench(program)
  let server: S3Server
  let proxy: FaultyProxy
  let dataDir: string
  let options: S3Options
  /** By a way that does not fail. */
  let store: ObjectStore
  let author: Author
  let figure: string
  let small: Published
  let large: Published

  before(async () => {
    server = await startS3Server()
    proxy = await startFaultyProxy(server.endpoint)
    dataDir = await bench.dir()
    options = server.storeOptions(await server.newBucket())
    store = createS3Store(options)
    author = new Author(await start())
    await author.signUp()
    figure = await author.newFigure()
    small = await published(await publish(100))
    large = await published(await publish(9 * MiB))
  })

  after(async () => {
    await bench[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  const start = (change: NodeJS.ProcessEnv = {}) => {
    const env = {
      LOG_LEVEL: 'fatal',
      ACCESS_TOKEN_LIFE: '1d',
      S3_ENDPOINT: proxy.url,
      S3_BUCKET: options.bucket,
      S3_ACCESS_KEY: options.accessKey,
      S3_SECRET_KEY: options.secretKey,
      S3_PART_BYTES: '5MiB',
      UPLOAD_BYTES_MAX: '1GiB',
      S3_CONNECT_TIMEOUT: '1s',
      S3_SILENCE_TIMEOUT: '2s',
      // What no process of before can be at work on.
      S3_ABANDONED_AFTER: '1ms',
      THUMBNAIL_CACHE_BYTES: '0',
      ...change,
    }
    return bench.start({ dataDir, env })
  }

  type Published = { status: number; answer: Created & { error?: string }; bytes: Buffer }

  async function publish(size: number): Promise<Published> {
    const bytes = randomBytes(size)
    const data = [
      { name: 'image', type: 'image', data: pixels },
      { name: 'table', type: 'file', data: bytes.toString('base64') },
    ]
    const { status, answer } = await inTime('POST', 'revision/', { figure, data })
    return { status, answer: JSON.parse(answer.toString()), bytes }
  }

  async function published(one: Published) {
    assert.equal(one.status, 201, JSON.stringify(one.answer))
    await author.isIntact(one.answer)
    return one
  }

  async function inTime(method: string, path: string, body?: unknown) {
    const began = performance.now()
    const response = await author.request(method, path, body)
    const answer = Buffer.from(await response.arrayBuffer())
    const ms = performance.now() - began
    assert.ok(ms < answerMsMax, `${method} ${path} took ${Math.round(ms)} ms`)
    return { status: response.status, answer }
  }

  const download = ({ answer }: Published) => inTime('GET', `data/${answer.data[1]?.api_id}/?dl=1`)

  async function isWhole(one: Published) {
    const { status, answer } = await download(one)
    assert.equal(status, 200)
    assert.ok(answer.equals(one.bytes))
    await author.isIntact(one.answer)
  }

  /** Succeeds, breaks off, or is refused as it should be. */
  const tryDownload = (one: Published) =>
    outcomeOf(download(one), (bytes) => assert.ok(bytes.equals(one.bytes)))

  const tryRead = (one: Published) =>
    outcomeOf(inTime('GET', `data/${one.answer.data[1]?.api_id}/`), (bytes) => {
      const { data } = JSON.parse(bytes.toString())
      assert.ok(one.bytes.equals(Buffer.from(data, 'base64')))
    })

  async function outcomeOf(asked: ReturnType<typeof inTime>, isRight: (bytes: Buffer) => void) {
    const got = await asked.catch((error: unknown) => {
      // Of fetch, when the connection is cut in the middle of the body.
      assert.ok(error instanceof TypeError, String(error))
    })
    if (!got) return 'broken off'
    if (got.status === 200) isRight(got.answer)
    else isRefusal(got.status, JSON.parse(got.answer.toString()))
    return got.status
  }

  function isRefusal(status: number, answer: { error?: string }) {
    assert.deepEqual({ status, error: answer.error }, { status: 503, error: 'storage_unavailable' })
  }

  /** Table and thumbnail; the image is one for all. */
  const objectsOf = (done: Published[]) => 2 * done.length

  const keys = async () => {
    const found: string[] = []
    for await (const { key } of store.list('')) found.push(key)
    return found.sort()
  }

  const answer = (status: string, body = '<html>no</html>'): Fault => ({
    answer: `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  })
  /** Nothing comes through. */
  const absent: [string, Fault | 'stopped'][] = [
    ['is stopped', 'stopped'],
    ['is silent', 'silent'],
    ['answers 503', answer('503 Service Unavailable')],
    ['answers 500', answer('500 Internal Server Error')],
    ['answers 403', answer('403 Forbidden')],
    ['answers 404 with a page', answer('404 Not Found')],
    ['answers 200 with a page', answer('200 OK')],
    ['answers 200 with nothing', answer('200 OK', '')],
    ['answers noise', { answer: '\u0000\u0001\u0002 no HTTP\r\n\r\n' }],
    ['breaks before it answers', { cutAfterBytes: 0, of: 'server' }],
    ['breaks in the middle of an answer', { cutAfterBytes: 150, of: 'server' }],
  ]
  const flawed: [string, Fault][] = [
    ['breaks in the middle of a part', { cutAfterBytes: 2 * MiB, of: 'client' }],
    ['breaks in the middle of an object', { cutAfterBytes: 4 * MiB, of: 'server' }],
    ['is slow', { bytesPerSecond: 3 * MiB }],
  ]

  for (const [what, fault] of [...absent, ...flawed]) {
    test(`a store that ${what}`, async (t) => {
      const before = (await keys()).length
      if (fault === 'stopped') await proxy.stop()
      else proxy.set(fault)
      const began = performance.now()
      const [tried, got] = await Promise.all([
        Promise.all([publish(100), publish(9 * MiB)]),
        Promise.all([tryDownload(small), tryDownload(large), tryRead(large)]),
      ])
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      const told = [...tried.map(({ status }) => status), ...got]
      t.diagnostic(`${what}: ${told.join(' ')}, within ${seconds} s`)
      if (absent.some(([one]) => one === what))
        assert.deepEqual(
          told,
          told.map(() => 503),
        )
      proxy.set('none')
      if (fault === 'stopped') await proxy.start()
      const done: Published[] = []
      for (const one of tried) {
        if (one.status === 201) done.push(one)
        else isRefusal(one.status, one.answer)
      }
      // At once, without being started again.
      done.push(await publish(200))
      for (const one of done) await published(one)
      for (const one of [small, large, ...done]) await isWhole(one)
      // What could not be removed then is removed at the next start.
      assert.equal(await author.launched.stop(), 0)
      author.launched = await start()
      const expected = before + objectsOf(done)
      await until(async () => (await keys()).length === expected, 'what was refused to be gone')
      assert.deepEqual(await server.openUploads(options.bucket), [])
    })
  }

  test('a store that is away while pictures are made delays them', async () => {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">
      <rect width="64" height="32"/><!-- ${randomBytes(8000).toString('hex')} --></svg>`
    const image = Buffer.from(drawing).toString('base64')
    const data = [{ name: 'image', type: 'image', data: image }]
    // Requests are small, answers with an image are not.
    proxy.set({ cutAfterBytes: 4096, of: 'server' })
    const { status, answer } = await inTime('POST', 'revision/', { figure, data })
    assert.equal(status, 201)
    const { api_id } = JSON.parse(answer.toString())
    await sleep(outageMs)
    proxy.set('none')
    const path = `revision/${api_id}/thumbnail/64/`
    await until(
      async () => !!(await author.json<{ thumbnail: string | null }>('GET', path)).thumbnail,
      'the picture',
    )
    const revision = await author.json<Created>('GET', `revision/${api_id}/`)
    assert.equal(revision.is_processing, false)
  })

  test('a process that dies in the middle of an object leaves nothing of it', async () => {
    const before = (await keys()).length
    proxy.set({ bytesPerSecond: 3 * MiB })
    const cut = publish(30 * MiB).catch(() => {})
    await until(async () => (await server.openUploads(options.bucket)).length > 0, 'a part')
    author.launched.child.kill('SIGKILL')
    await author.launched.ended
    await cut
    proxy.set('none')
    author.launched = await start()
    await until(async () => (await keys()).length === before, 'what was refused to be gone')
    assert.deepEqual(await server.openUploads(options.bucket), [])
    await isWhole(large)
  })
}
