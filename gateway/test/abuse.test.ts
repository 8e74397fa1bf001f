import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { answersOthers, attacked, downloadBytes, startAbused } from './abuse.js'
import { chunk, chunked, dial, head, pause, type Wire } from './wire.js'

const figure = '5b8f3c0e-3f1a-4f0e-9d5c-0c9b1f6f2a11'
const token = '/api/token/'
const revision = '/api/v1/revision/'
const opening = `{"figure":"${figure}","data":[{"type":"file","data":"`
const ending = '"}]}'
const signIn = '{"username":"ann","password":"x"}'

let edge: Awaited<ReturnType<typeof startAbused>>
before(async () => {
  edge = await startAbused()
})
after(() => edge[Symbol.asyncDispose]())

/** Writes a piece at intervals until the server closes the connection. */
async function trickle(wire: Wire, piece: string, everyMs: number, forMs = 5000) {
  const until = performance.now() + forMs
  while (wire.isOpen() && performance.now() < until) {
    wire.write(piece)
    await pause(everyMs)
  }
}

for (const [path, start] of [
  [token, signIn.slice(0, 10)],
  [revision, opening],
] as const) {
  for (const [framing, headers, first] of [
    ['content-length', { 'content-length': '5000' }, start],
    ['chunked', chunked, chunk(start)],
  ] as const) {
    test(`sends 408 and closes when a body stalls: ${path} (${framing})`, async () => {
      const started = performance.now()
      const ended = edge.seen.uploadsEnded
      const answer = await attacked(edge.port, (wire) =>
        wire.write(head('POST', path, headers) + first),
      )
      assert.equal(answer.status, 408)
      assert.equal(answer.json().error, 'request_timeout')
      assert.match(answer.text, /\r\nconnection: close\r\n/i)
      assert.ok(performance.now() - started < 20_000)
      if (path === revision) assert.equal(edge.seen.uploadsEnded, ended + 1)
    })

    test(`sends 408 when a body is too slow: ${path} (${framing})`, async () => {
      const piece = framing === 'chunked' ? chunk('AAAA') : 'AAAA'
      const answer = await attacked(edge.port, (wire) => {
        wire.write(head('POST', path, headers) + first)
        void trickle(wire, piece, 100)
      })
      assert.equal(answer.status, 408)
      assert.match(answer.json().detail, /less than 200 bytes per second/)
    })
  }
}

test('does not time out an upload above the minimum throughput', async () => {
  await using edge = await startAbused({
    HEADERS_TIMEOUT: '400ms',
    IDLE_TIMEOUT: '3s',
    BODY_IDLE_TIMEOUT: '2s',
    BODY_RATE_WINDOW: '1s',
    BODY_BYTES_PER_SECOND_MIN: '50B',
  })
  const pieces = 40
  const piece = 'A'.repeat(40)
  const answer = await attacked(edge.port, async (wire) => {
    const length = String(opening.length + pieces * piece.length + ending.length)
    const headers = { 'content-length': length, connection: 'close' }
    wire.write(head('POST', revision, headers) + opening)
    // 400 bytes per second for 4 s: ten times the headers timeout, longer than any other limit.
    for (let i = 0; i < pieces; i++) {
      await pause(100)
      wire.write(piece)
    }
    wire.write(ending)
  })
  assert.equal(answer.status, 409)
  assert.deepEqual(answer.json(), { error: 'received', detail: `${pieces * 30} bytes` })
})

test('sends 431 for too large headers and 408 for slow ones, and closes silent connections', async () => {
  await using edge = await startAbused({ HEADERS_TIMEOUT: '1s' })
  const endless = await attacked(edge.port, async (wire) => {
    wire.write('GET /api/v1/info/ HTTP/1.1\r\nhost: x\r\n')
    await trickle(wire, `x-filler: ${'y'.repeat(2000)}\r\n`, 5)
  })
  assert.equal(endless.status, 431)
  assert.equal(endless.json().error, 'headers_too_large')

  const slow = await attacked(edge.port, async (wire) => {
    wire.write('GET /api/v1/info/ HTTP/1.1\r\nhost: x\r\n')
    await trickle(wire, 'x: y\r\n', 50)
  })
  assert.equal(slow.status, 408)
  assert.equal(slow.json().error, 'request_timeout')

  const silent = await attacked(edge.port, () => {})
  assert.equal(silent.text, '')
})

test('reads many headers, and sends 431 for too many', async () => {
  const fillers = (count: number) => 'a:b\r\n'.repeat(count)
  const request = (headers: string) =>
    `GET /api/v1/user/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}`
  // By default, Node would drop headers after the two thousandth.
  const last = 'authorization: Bearer nonsense\r\n\r\n'
  const many = await attacked(edge.port, (wire) => wire.write(request(fillers(2500)) + last))
  assert.equal(many.status, 401)
  assert.equal(many.json().error, 'token_not_valid')
  const more = await attacked(edge.port, (wire) => wire.write(request(fillers(10_000)) + last))
  assert.equal(more.status, 431)
})

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const members = (count: number) =>
  `{${Array.from({ length: count }, (_, i) => `"${i}":0`).join(',')}}`

for (const [what, path, body, status] of [
  ['nested deeply', token, `{"username":${nested(1000)}}`, 400],
  ['nested up to the size limit', token, nested(500_000), 400],
  ['nested deeply', revision, `{"figure":"${figure}","metadata":${nested(1_000_000)}}`, 400],
  ['with ten thousand members', token, members(10_000), 400],
  ['with a hundred thousand members', token, members(100_000), 413],
  ['with a million members', token, members(1_000_000), 413],
  ['with a million members', revision, members(1_000_000), 413],
  ['with a million members inside', revision, `{"metadata":${members(1_000_000)}}`, 413],
  ['with a million items', revision, `{"data":[${'0,'.repeat(1_000_000)}0]}`, 400],
  ['with a million objects', revision, `{"data":[${'{},'.repeat(1_000_000)}{}]}`, 413],
] as const) {
  test(`rejects a body ${what}: ${path} ${status}`, async () => {
    const headers = { 'content-length': String(body.length), connection: 'close' }
    const answer = await attacked(edge.port, (wire) =>
      wire.write(head('POST', path, headers) + body),
    )
    assert.equal(answer.status, status)
    assert.ok(answer.json().detail)
  })
}

test('rejects a wrong Content-Length', async () => {
  for (const [what, headers, status] of [
    ['too long', { 'content-length': String(signIn.length + 1) }, 408],
    ['too short', { 'content-length': String(signIn.length - 1) }, 400],
    ['negative', { 'content-length': '-1' }, 400],
    ['a word', { 'content-length': 'many' }, 400],
    ['beyond all numbers', { 'content-length': '9'.repeat(30) }, 400],
    ['beyond the limit', { 'content-length': '9'.repeat(15) }, 413],
    ['beside chunks', { 'content-length': '33', ...chunked }, 400],
  ] as const) {
    const answer = await attacked(edge.port, (wire) =>
      wire.write(head('POST', token, headers) + signIn),
    )
    assert.equal(answer.status, status, what)
    assert.ok(answer.json().error, what)
  }
})

test('rejects malformed chunks and large chunk extensions', async () => {
  for (const [first, status] of [
    ['zz\r\n', 400],
    [`1;${'x'.repeat(20_000)}\r\na\r\n`, 413],
    [`${'f'.repeat(17)}\r\n`, 400],
  ] as const) {
    const answer = await attacked(edge.port, (wire) =>
      wire.write(head('POST', token, chunked) + first),
    )
    assert.equal(answer.status, status)
    assert.ok(answer.json().error)
  }
})

test('rejects a compression bomb without reading it', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20, '[')).toString('latin1')
  for (const path of [token, revision]) {
    const headers = { 'content-encoding': 'gzip', 'content-length': '67108864' }
    const answer = await attacked(edge.port, async (wire) => {
      wire.write(head('POST', path, headers))
      wire.socket.end(bomb, 'latin1')
    })
    assert.equal(answer.status, 415)
  }
})

test('does not wait for an unexpected body', async () => {
  for (const [method, path, status] of [
    ['GET', '/api/v1/info/', 200],
    ['OPTIONS', '/api/v1/info/', 204],
    ['POST', '/healthz', 404],
    ['POST', '/api/v1/nowhere/', 404],
  ] as const) {
    const answer = await attacked(edge.port, async (wire) => {
      wire.write(head(method, path, chunked))
      await trickle(wire, chunk('x'), 100, 10_000)
      assert.equal(wire.isOpen(), false, `${method} ${path} is still read`)
    })
    assert.equal(answer.status, status)
  }
})

for (const [form, query] of [
  ['as JSON', ''],
  ['as raw bytes', '?dl=1'],
] as const) {
  test(`disconnects a client that does not read its download ${form}, and stops reading for it`, async () => {
    await using quick = await startAbused({ IDLE_TIMEOUT: '2s' })
    const wire = await dial(quick.port)
    wire.socket.pause()
    wire.write(head('GET', `/api/v1/data/${figure}/${query}`))
    await answersOthers(quick.port)
    for (let i = 0; i < 400 && quick.seen.downloadsEnded === 0; i++) await pause(50)
    assert.equal(quick.seen.downloadsEnded, 1)
    assert.ok(quick.seen.sentBytes < downloadBytes / 8, `${quick.seen.sentBytes} bytes were read`)
    await answersOthers(quick.port)
    wire.socket.destroy()
  })
}

test('stops reading a download when the client disconnects', async () => {
  const { downloadsEnded, sentBytes } = edge.seen
  const wire = await dial(edge.port)
  wire.write(head('GET', `/api/v1/data/${figure}/?dl=1`))
  while (edge.seen.sentBytes < sentBytes + 2 ** 22) await pause(5)
  wire.socket.destroy()
  for (let i = 0; i < 400 && edge.seen.downloadsEnded === downloadsEnded; i++) await pause(25)
  assert.equal(edge.seen.downloadsEnded, downloadsEnded + 1)
})

test('closes connections above the limit at once, keeps the others, and accepts new ones later', async () => {
  await using small = await startAbused({ CONNECTIONS_MAX: '5' })
  const others = await Promise.all(Array.from({ length: 5 }, () => dial(small.port)))
  const answer = await (await dial(small.port)).answer()
  assert.equal(answer.text, '')
  const [first] = others
  first?.write(head('GET', '/api/v1/info/', { connection: 'close' }))
  assert.equal((await first?.answer())?.status, 200)
  await answersOthers(small.port)
  for (const { socket } of others) socket.destroy()
  const isFull = () =>
    fetch(`http://127.0.0.1:${small.port}/api/v1/info/`).then(
      () => false,
      () => true,
    )
  for (let i = 0; i < 400 && (await isFull()); i++) await pause(25)
  await answersOthers(small.port)
})
