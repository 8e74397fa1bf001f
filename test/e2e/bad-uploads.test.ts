import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { messageOf, type Refusal } from '../src/client.js'
import { LATEST, VERSIONS } from '../src/deployment.js'
import { type Person, signUp } from '../src/people.js'
import { base64, file, newPlace, type Place, publish, snapshot } from '../src/publish.js'
import type { Figure, Revision, Workspace } from '../src/resources.js'
import { chunk, dial, head } from '../src/wire.js'

let alice: Person
let stranger: Person
let place: Place

before(async () => {
  alice = await signUp()
  stranger = await signUp()
  place = await newPlace(alice.api)
})

const GOOD = { name: 'good', type: 'text', metadata: {}, data: 'Z29vZA==' }
const revisionsPath = `/api/${LATEST}/revision/`

for (const [what, data] of [
  ['of a bad length', 'abc'],
  ['of one character', 'A'],
  ['with padding too early', 'AA=A'],
  ['with too much padding', 'A==='],
  ['of padding alone', '===='],
  ['with text after the padding', 'AA==AAAA'],
  ['with data after a padded group', 'AAA=AAA='],
  ['in the URL alphabet', 'ab-_'],
  ['with a line break', 'AAAA\nAAAA'],
  ['with a carriage return and line break', 'AAAA\r\nAAAA'],
  ['with a space', 'AAAA AAAA'],
  ['with a space at its end', 'AAAA '],
  ['as a data URL', 'data:image/png;base64,AAAA'],
  ['with a letter of another alphabet', 'AAAé'],
  ['with U+0000', 'AAA\u0000'],
  ['with a bad character far inside', `${'A'.repeat(300_000)}!AAA`],
  ['that is a number', 5],
  ['that is an object', {}],
  ['that is a list', ['AAAA']],
  ['that is true', true],
] as const) {
  test(`base64 ${what} is refused, naming data, and leaves nothing`, async () => {
    const bad = { ...GOOD, name: 'bad', data }
    await leavesNothing(async () => {
      for (const objects of [[bad], [GOOD, bad], [bad, GOOD]]) {
        await refused({ figure: place.figure.api_id, data: objects }, 'data')
      }
      await refused({ data: [GOOD, bad], figure: place.figure.api_id }, 'data')
    })
  })
}

for (const [field, value] of [
  ['type', undefined],
  ['type', null],
  ['type', 'table'],
  ['type', 'IMAGE'],
  ['type', 5],
  ['name', 5],
  ['name', 'a\u0000'],
  ['name', '\ud800'],
  ['name', 'n'.repeat(100_000)],
  ['metadata', 'a\u0000'],
  ['metadata', { '\u0000': 1 }],
  ['metadata', { a: ['\udc00'] }],
  ['is_clean_room', 'yes'],
  ['is_clean_room', 1],
] as const) {
  const shown = (JSON.stringify(value) ?? 'nothing').slice(0, 24)
  test(`a data object with ${shown} as ${field} is refused, naming it`, async () => {
    const bad = { ...GOOD, [field]: value }
    await leavesNothing(() => refused({ figure: place.figure.api_id, data: [GOOD, bad] }, field))
  })
}

for (const [field, value] of [
  ['metadata', { a: 'b\u0000' }],
  ['metadata', { 'k\u0000': 1 }],
  ['metadata', '\u0000'],
  ['metadata', { deep: [{ a: ['\ud83d'] }] }],
  ['metadata', { '\udfff': 1 }],
  ['is_clean_room', 'true'],
  ['is_clean_room', 0],
  ['data', 5],
  ['data', {}],
  ['data', 'AAAA'],
  ['data', ['AAAA']],
  ['data', [null]],
  ['data', [[]]],
  ['client_id', 'x'],
  ['client_id', 5],
] as const) {
  test(`a revision with ${JSON.stringify(value)} as ${field} is refused, naming it`, async () => {
    await leavesNothing(async () => {
      await refused({ figure: place.figure.api_id, [field]: value }, field)
      await refused({ data: [GOOD], [field]: value, figure: place.figure.api_id }, field)
    })
  })
}

for (const version of VERSIONS) {
  test(`${version}: a revision's malformed JSON is 400 and leaves nothing`, async () => {
    const figure = place.figure.api_id
    await leavesNothing(async () => {
      for (const raw of [
        '',
        `{"figure":"${figure}"`,
        `{"figure":"${figure}","data":[{"type":"text","data":"AAAA"}`,
        `{"figure":"${figure}","data":[{"type":"text","data":"AAAA"},]}`,
        `{"figure":"${figure}","data":[{"type":"text","data":"AAAA}]}`,
        `{"figure":"${figure}",}`,
        `{"figure":"${figure}"} {}`,
        `{"figure":"${figure}","metadata":{"a":NaN}}`,
        `{"figure":"${figure}","metadata":{'a':1}}`,
        `{"data":[}],"figure":"${figure}"}`,
        `{"data":[{"data":"AAAA" "type":"text"}],"figure":"${figure}"}`,
        Buffer.from(`{"figure":"${figure}","metadata":"\xff"}`, 'latin1'),
        Buffer.from(`{"figure":"${figure}","metadata":{"\xc0\xaf":1}}`, 'latin1'),
        Buffer.from(`{"figure":"${figure}","data":[{"type":"text","data":"AA\xffA"}]}`, 'latin1'),
      ]) {
        await alice.at(version).request('POST', 'revision/', { raw, status: 400 })
      }
    })
  })
}

test('metadata nested without end is 400, not a crash, and leaves nothing', async () => {
  const figure = place.figure.api_id
  await leavesNothing(async () => {
    for (const depth of [10_000, 300_000]) {
      const deep = '['.repeat(depth) + ']'.repeat(depth)
      for (const raw of [
        `{"figure":"${figure}","metadata":${deep}}`,
        `{"figure":"${figure}","data":[{"type":"text","metadata":${deep},"data":"AAAA"}]}`,
        `{"figure":"${figure}","unknown":${deep}}`,
      ]) {
        await alice.api.request('POST', 'revision/', { raw, status: [400, 413] })
      }
    }
  })
})

test('a body that names two figures does not reach the second', async () => {
  const theirs = await newPlace(stranger.api)
  const before = await snapshot(stranger.api, theirs)
  const own = place.figure.api_id
  const raw = `{"figure":"${own}","data":[],"figure":"${theirs.figure.api_id}"}`
  const answer = await alice.api.request<Revision>('POST', 'revision/', {
    raw,
    status: [201, 400, 403],
  })
  if (answer.status === 201) {
    assert.equal(answer.body.figure, own)
    await alice.api.delete(`revision/${answer.body.api_id}/`)
  }
  assert.deepEqual(await snapshot(stranger.api, theirs), before)
})

test('an empty data string is an empty object', async () => {
  const { figure } = await newPlace(alice.api)
  const revision = await publish(alice.api, figure.api_id, [{ type: 'file', data: '' }])
  assert.equal(revision.size_bytes, 0)
  const [object] = revision.data ?? []
  const { body } = await alice.api.get<{ data: string }>(`data/${object?.api_id}/`)
  assert.equal(body.data, '')
})

test('a stranger who sends data first gets 403, and nothing of it is kept', async () => {
  await leavesNothing(async () => {
    for (const data of [[GOOD], [file(randomBytes(600_000))], [{ ...GOOD, type: 'odd' }]]) {
      await stranger.api.post('revision/', { data, figure: place.figure.api_id }, 403)
    }
  })
})

test('JSON malformed before the figure is 400 for a stranger too, after it 403', async () => {
  await leavesNothing(async () => {
    const figure = place.figure.api_id
    for (const [raw, status] of [
      [`{"data":[},"figure":"${figure}"}`, 400],
      [`{"metadata":{"a":tru},"figure":"${figure}"}`, 400],
      [`{"figure":"${figure}","data":[}`, 403],
      [`{"figure":"${figure}",,,`, 403],
    ] as const) {
      await stranger.api.request('POST', 'revision/', { raw, status })
    }
  })
})

for (const framing of ['content-length', 'chunked'] as const) {
  for (const [what, opening] of [
    ['the figure alone', (figure: string) => `{"figure":"${figure}",`],
    ['data, then the figure', (figure: string) => `{"data":[${LONG}],"figure":"${figure}",`],
    ['metadata, then the figure', (figure: string) => `{"metadata":{"a":[]},"figure":"${figure}",`],
    [
      'the figure and the beginning of data',
      (figure: string) => `{"figure":"${figure}","data":[{"type":"file","data":"AAAA`,
    ],
  ] as const) {
    test(`a stranger gets 403 before the rest is sent: ${what} (${framing})`, async () => {
      await leavesNothing(async () => {
        const answer = await answerToOpening(stranger, opening(place.figure.api_id), framing)
        assert.equal(answer?.status, 403)
      })
    })
  }
}

test('an unknown figure and no credentials are refused before the rest is sent', async () => {
  const unknown = `{"figure":"${crypto.randomUUID()}",`
  const answer = await answerToOpening(alice, unknown, 'content-length')
  assert.ok([400, 404].includes(answer?.status ?? 0), `${answer?.status}`)
  const anonymous = { ...alice, api: { ...alice.api, authorization: undefined } }
  const refusal = await answerToOpening(anonymous, '{', 'content-length')
  assert.equal(refusal?.status, 401)
})

test('a body that ends too early is refused and leaves nothing', async () => {
  const whole = JSON.stringify({
    figure: place.figure.api_id,
    data: [file(randomBytes(30_000)), GOOD],
  })
  await leavesNothing(async () => {
    for (const kept of [1, 60, 1000, whole.length - 20, whole.length - 1]) {
      await using wire = await dial()
      await wire.write(request({ 'content-length': String(whole.length) }))
      await wire.write(whole.slice(0, kept))
      wire.halfClose()
      const answer = await wire.answer()
      assert.ok(answer === undefined || answer.status === 400, `${kept}: ${answer?.status}`)
    }
    for (const kept of [60, whole.length]) {
      await using wire = await dial()
      await wire.write(request({ 'transfer-encoding': 'chunked' }))
      await wire.write(chunk(whole.slice(0, kept)))
      wire.halfClose()
      const answer = await wire.answer()
      assert.ok(answer === undefined || answer.status === 400, `${kept}: ${answer?.status}`)
    }
  })
})

test('a body longer or shorter than its Content-Length is refused and leaves nothing', async () => {
  const body = JSON.stringify({ figure: place.figure.api_id, data: [GOOD] })
  await leavesNothing(async () => {
    await using short = await dial()
    await short.write(request({ 'content-length': String(body.length - 1) }) + body)
    assert.equal((await short.answer())?.status, 400)

    await using long = await dial()
    await long.write(request({ 'content-length': String(body.length + 10) }) + body)
    long.halfClose()
    const answer = await long.answer()
    assert.ok(answer === undefined || answer.status === 400, `${answer?.status}`)

    for (const length of ['-1', 'abc', '1, 2']) {
      await using wire = await dial()
      await wire.write(request({ 'content-length': length }) + body)
      const answer = await wire.answer()
      assert.ok(answer === undefined || answer.status === 400, `${length}: ${answer?.status}`)
    }
    await using both = await dial()
    const twice = { 'content-length': '4', 'transfer-encoding': 'chunked' }
    await both.write(`${request(twice)}0\r\n\r\n`)
    const refusal = await both.answer()
    assert.ok(refusal === undefined || refusal.status === 400, `${refusal?.status}`)
  })
})

test('a client that disconnects in the middle of an upload leaves nothing', async () => {
  const quiet = await newPlace(alice.api)
  const whole = JSON.stringify({
    figure: quiet.figure.api_id,
    data: [GOOD, file(randomBytes(400_000))],
  })
  const before = await snapshot(alice.api, quiet)
  for (const kept of [70, 200, 300_000, whole.length - 1]) {
    const wire = await dial()
    await wire.write(request({ 'content-length': String(whole.length) }) + whole.slice(0, kept))
    wire.destroy()
  }
  assert.deepEqual(await snapshot(alice.api, quiet), before)
  // The next publish shows what the server made of the broken ones.
  const revision = await publish(alice.api, quiet.figure.api_id, [GOOD])
  assert.equal(revision.size_bytes, 4)
  const { body: figure } = await alice.api.get<Figure>(`figure/${quiet.figure.api_id}/`)
  assert.deepEqual(
    figure.revisions?.map(({ api_id }) => api_id),
    [revision.api_id],
  )
  const path = `workspace/${quiet.workspace.api_id}/`
  assert.equal((await alice.api.get<Workspace>(path)).body.size_bytes, 4)
})

test('a body that comes in small pieces, split anywhere, is read as a whole', async () => {
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

test('Expect: 100-continue is honoured or refused, never left waiting', async () => {
  const body = JSON.stringify({ figure: place.figure.api_id, data: [] })
  await using wire = await dial()
  const headers = { 'content-length': String(body.length), expect: '100-continue' }
  await wire.write(request(headers))
  await wire.write(body)
  const answer = await wire.answer()
  assert.ok([201, 417].includes(answer?.status ?? 0), `${answer?.status}`)
})

const LONG = JSON.stringify(file(randomBytes(100_000)))

/** What comes back when only the opening of a long body is ever sent. */
async function answerToOpening(person: Person, opening: string, framing: string) {
  await using wire = await dial()
  const chunked = framing === 'chunked'
  const headers: Record<string, string> = chunked
    ? { 'transfer-encoding': 'chunked' }
    : { 'content-length': '5000000' }
  const { authorization } = person.api
  await wire.write(head({ method: 'POST', path: revisionsPath, authorization, headers }))
  await wire.write(chunked ? chunk(opening) : opening)
  return wire.answer(5000)
}

function request(headers: Record<string, string>): string {
  const { authorization } = alice.api
  return head({ method: 'POST', path: revisionsPath, authorization, headers })
}

async function refused(body: Record<string, unknown>, field: string): Promise<void> {
  const answer = await alice.api.post<Refusal>('revision/', body, 400)
  assert.match(messageOf(answer), new RegExp(`\\b${field}\\b`), 'should name the field')
}

async function leavesNothing(attempt: () => Promise<void>): Promise<void> {
  const before = await snapshot(alice.api, place)
  await attempt()
  assert.deepEqual(await snapshot(alice.api, place), before, 'something was left behind')
}
