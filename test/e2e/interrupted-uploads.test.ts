import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { LATEST } from '../src/deployment.js'
import { base64, file, newPlace, type Place, publish, snapshot } from '../src/publish.js'
import type { Figure, Revision, Workspace } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'
import { chunk, dial, head } from '../src/wire.js'

let alice: TestUser
let stranger: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  stranger = await signUp()
  place = await newPlace(alice.api)
})

const validData = { name: 'good', type: 'text', metadata: {}, data: 'Z29vZA==' }
const revisionsPath = `/api/${LATEST}/revision/`
const LONG = JSON.stringify(file(randomBytes(100_000)))

for (const framing of ['content-length', 'chunked'] as const) {
  for (const [what, opening] of [
    ['only the figure', (figure: string) => `{"figure":"${figure}",`],
    ['data, then the figure', (figure: string) => `{"data":[${LONG}],"figure":"${figure}",`],
    ['metadata, then the figure', (figure: string) => `{"metadata":{"a":[]},"figure":"${figure}",`],
    [
      'the figure and the beginning of data',
      (figure: string) => `{"figure":"${figure}","data":[{"type":"file","data":"AAAA`,
    ],
  ] as const) {
    test(`sends 403 without permission before the rest is sent: ${what} (${framing})`, async () => {
      await expectNoChange(async () => {
        const answer = await responseToPartialBody(stranger, opening(place.figure.api_id), framing)
        assert.equal(answer?.status, 403)
      })
    })
  }
}

test('a client that sends a long upload before it reads receives the 403', async () => {
  const data = [file(randomBytes(6 * 1024 * 1024))]
  await expectNoChange(async () => {
    for (let i = 0; i < 4; i++) {
      await stranger.api.post('revision/', { figure: place.figure.api_id, data }, 403)
    }
  })
})

test('rejects an unknown figure and missing credentials before the rest is sent', async () => {
  const unknown = `{"figure":"${crypto.randomUUID()}",`
  const answer = await responseToPartialBody(alice, unknown, 'content-length')
  assert.equal(answer?.status, 400)
  const anonymous = { ...alice, api: { ...alice.api, authorization: undefined } }
  const refusal = await responseToPartialBody(anonymous, '{', 'content-length')
  assert.equal(refusal?.status, 401)
})

test('rejects a truncated body, and leaves nothing', async () => {
  const whole = JSON.stringify({
    figure: place.figure.api_id,
    data: [file(randomBytes(30_000)), validData],
  })
  await expectNoChange(async () => {
    for (const kept of [1, 60, 1000, whole.length - 20, whole.length - 1]) {
      await using wire = await dial()
      await wire.write(request({ 'content-length': String(whole.length) }))
      await wire.write(whole.slice(0, kept))
      wire.halfClose()
      const answer = await wire.answer()
      assert.equal(answer?.status, 400, `${kept}`)
    }
    for (const kept of [60, whole.length]) {
      await using wire = await dial()
      await wire.write(request({ 'transfer-encoding': 'chunked' }))
      await wire.write(chunk(whole.slice(0, kept)))
      wire.halfClose()
      const answer = await wire.answer()
      assert.equal(answer?.status, 400, `${kept}`)
    }
  })
})

test('rejects a body longer or shorter than its Content-Length, and leaves nothing', async () => {
  const body = JSON.stringify({ figure: place.figure.api_id, data: [validData] })
  await expectNoChange(async () => {
    await using short = await dial()
    await short.write(request({ 'content-length': String(body.length - 1) }) + body)
    assert.equal((await short.answer())?.status, 400)

    await using long = await dial()
    await long.write(request({ 'content-length': String(body.length + 10) }) + body)
    long.halfClose()
    const answer = await long.answer()
    assert.equal(answer?.status, 400)

    for (const length of ['-1', 'abc', '1, 2']) {
      await using wire = await dial()
      await wire.write(request({ 'content-length': length }) + body)
      const answer = await wire.answer()
      assert.equal(answer?.status, 400, length)
    }
    await using both = await dial()
    const twice = { 'content-length': '4', 'transfer-encoding': 'chunked' }
    await both.write(`${request(twice)}0\r\n\r\n`)
    const refusal = await both.answer()
    assert.equal(refusal?.status, 400)
  })
})

test('a client that disconnects in the middle of an upload leaves nothing', async () => {
  const quiet = await newPlace(alice.api)
  const whole = JSON.stringify({
    figure: quiet.figure.api_id,
    data: [validData, file(randomBytes(400_000))],
  })
  const before = await snapshot(alice.api, quiet)
  for (const kept of [70, 200, 300_000, whole.length - 1]) {
    const wire = await dial()
    await wire.write(request({ 'content-length': String(whole.length) }) + whole.slice(0, kept))
    wire.destroy()
  }
  assert.deepEqual(await snapshot(alice.api, quiet), before)
  // The index of the next revision shows whether the broken uploads left anything.
  const revision = await publish(alice.api, quiet.figure.api_id, [validData])
  assert.equal(revision.size_bytes, 4)
  const { body: figure } = await alice.api.get<Figure>(`figure/${quiet.figure.api_id}/`)
  assert.deepEqual(
    figure.revisions?.map(({ api_id }) => api_id),
    [revision.api_id],
  )
  const path = `workspace/${quiet.workspace.api_id}/`
  assert.equal((await alice.api.get<Workspace>(path)).body.size_bytes, 4)
})

test('reads a body in small pieces, split anywhere', async () => {
  const { figure } = await newPlace(alice.api)
  const metadata = { 'größe 😀': 'déjà "vu" \\ \u2028' }
  const bytes = randomBytes(500)
  const data = [{ ...file(bytes), name: 'naïve 😀.bin', metadata }]
  const body = Buffer.from(JSON.stringify({ data, metadata, figure: figure.api_id }))
  await using wire = await dial()
  await wire.write(request({ 'content-length': String(body.length) }))
  for (let at = 0; at < body.length; at += 5) await wire.write(body.subarray(at, at + 5))
  const answer = await wire.answer()
  assert.equal(answer?.status, 201)
  const revision = JSON.parse(answer.bytes.toString()) as Revision
  assert.deepEqual(revision.metadata, metadata)
  const [object] = revision.data ?? []
  assert.deepEqual([object?.name, object?.metadata], ['naïve 😀.bin', metadata])
  const read = await alice.api.get<{ data: string }>(`data/${object?.api_id}/`)
  assert.equal(read.body.data, base64(bytes))
})

test('supports Expect: 100-continue', async () => {
  const body = JSON.stringify({ figure: place.figure.api_id, data: [] })
  await using wire = await dial()
  const headers = { 'content-length': String(body.length), expect: '100-continue' }
  await wire.write(request(headers))
  await wire.write(body)
  const answer = await wire.answer()
  assert.equal(answer?.status, 201)
})

/** The response if only the beginning of a long body is sent. */
async function responseToPartialBody(person: TestUser, opening: string, framing: string) {
  await using wire = await dial()
  const chunked = framing === 'chunked'
  const headers: Record<string, string> = chunked
    ? { 'transfer-encoding': 'chunked' }
    : { 'content-length': '5000000' }
  const { authorization } = person.api
  await wire.write(head({ method: 'POST', path: revisionsPath, authorization, headers }))
  await wire.write(chunked ? chunk(opening) : opening)
  return await wire.answer(5000)
}

function request(headers: Record<string, string>): string {
  const { authorization } = alice.api
  return head({ method: 'POST', path: revisionsPath, authorization, headers })
}

async function expectNoChange(attempt: () => Promise<void>): Promise<void> {
  const before = await snapshot(alice.api, place)
  await attempt()
  assert.deepEqual(
    await snapshot(alice.api, place),
    before,
    'an interrupted upload changed something',
  )
}
