import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { messageOf, type Refusal } from '../src/client.js'
import { VERSIONS } from '../src/deployment.js'
import { file, newPlace, type Place, publish, snapshot } from '../src/publish.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let stranger: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  stranger = await signUp()
  place = await newPlace(alice.api)
})

const validData = { name: 'good', type: 'text', metadata: {}, data: 'Z29vZA==' }

for (const [what, data] of [
  ['of an invalid length', 'abc'],
  ['of one character', 'A'],
  ['with early padding', 'AA=A'],
  ['with too much padding', 'A==='],
  ['of only padding', '===='],
  ['with text after the padding', 'AA==AAAA'],
  ['with data after a padded group', 'AAA=AAA='],
  ['in the URL alphabet', 'ab-_'],
  ['with a line break', 'AAAA\nAAAA'],
  ['with a carriage return and line break', 'AAAA\r\nAAAA'],
  ['with a space', 'AAAA AAAA'],
  ['with a trailing space', 'AAAA '],
  ['as a data URL', 'data:image/png;base64,AAAA'],
  ['with a non-ASCII letter', 'AAAé'],
  ['with U+0000', 'AAA\u0000'],
  ['with an invalid character after a long text', `${'A'.repeat(300_000)}!AAA`],
  ['that is a number', 5],
  ['that is an object', {}],
  ['that is a list', ['AAAA']],
  ['that is true', true],
] as const) {
  test(`rejects base64 ${what}, names data, and leaves nothing`, async () => {
    const bad = { ...validData, name: 'bad', data }
    await expectNoChange(async () => {
      for (const objects of [[bad], [validData, bad], [bad, validData]]) {
        await expectRejected({ figure: place.figure.api_id, data: objects }, 'data')
      }
      await expectRejected({ data: [validData, bad], figure: place.figure.api_id }, 'data')
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
  test(`rejects a data object with ${shown} as ${field}, and names the member`, async () => {
    const bad = { ...validData, [field]: value }
    await expectNoChange(() =>
      expectRejected({ figure: place.figure.api_id, data: [validData, bad] }, field),
    )
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
  test(`rejects a revision with ${JSON.stringify(value)} as ${field}, and names the member`, async () => {
    await expectNoChange(async () => {
      await expectRejected({ figure: place.figure.api_id, [field]: value }, field)
      await expectRejected(
        { data: [validData], [field]: value, figure: place.figure.api_id },
        field,
      )
    })
  })
}

for (const version of VERSIONS) {
  test(`${version}: sends 400 for a revision with malformed JSON, and leaves nothing`, async () => {
    const figure = place.figure.api_id
    await expectNoChange(async () => {
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

test('sends 400 for excessive nesting of metadata, and leaves nothing', async () => {
  const figure = place.figure.api_id
  await expectNoChange(async () => {
    for (const depth of [10_000, 300_000]) {
      const deep = '['.repeat(depth) + ']'.repeat(depth)
      for (const raw of [
        `{"figure":"${figure}","metadata":${deep}}`,
        `{"figure":"${figure}","data":[{"type":"text","metadata":${deep},"data":"AAAA"}]}`,
        `{"figure":"${figure}","unknown":${deep}}`,
      ]) {
        await alice.api.request('POST', 'revision/', { raw, status: 400 })
      }
    }
  })
})

test('limits members that are not streamed, and leaves nothing', async () => {
  const figure = place.figure.api_id
  const long = 'x'.repeat(12 * 1024 * 1024)
  await expectNoChange(async () => {
    for (const body of [
      { figure, metadata: { long } },
      { figure, data: [{ ...validData, metadata: { long } }] },
      { figure, data: [{ ...validData, name: long }] },
      { figure: long },
      { figure, [long]: 1 },
    ]) {
      await alice.api.post('revision/', body, 413)
    }
  })
})

test('rejects a body with two figures before it reads the second', async () => {
  const otherPlace = await newPlace(stranger.api)
  const before = await snapshot(stranger.api, otherPlace)
  const own = place.figure.api_id
  const raw = `{"figure":"${own}","data":[],"figure":"${otherPlace.figure.api_id}"}`
  await alice.api.request('POST', 'revision/', { raw, status: 400 })
  assert.deepEqual(await snapshot(stranger.api, otherPlace), before)
})

test('accepts an empty data string as an empty data object', async () => {
  const { figure } = await newPlace(alice.api)
  const revision = await publish(alice.api, figure.api_id, [{ type: 'file', data: '' }])
  assert.equal(revision.size_bytes, 0)
  const [object] = revision.data ?? []
  const { body } = await alice.api.get<{ data: string }>(`data/${object?.api_id}/`)
  assert.equal(body.data, '')
})

test('sends 403 without permission if data comes first, and stores none of it', async () => {
  await expectNoChange(async () => {
    for (const data of [[validData], [file(randomBytes(600_000))]]) {
      await stranger.api.post('revision/', { data, figure: place.figure.api_id }, 403)
    }
  })
})

test('sends 403 rather than 400 without permission if invalid data comes first', async () => {
  await expectNoChange(async () => {
    for (const odd of [{ type: 'odd' }, { name: 5 }, { metadata: 5, type: 7 }]) {
      const data = [{ ...validData, ...odd }]
      await stranger.api.post('revision/', { data, figure: place.figure.api_id }, 403)
    }
  })
})

test('without permission, sends 400 for malformed JSON before the figure, and 403 after it', async () => {
  await expectNoChange(async () => {
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

async function expectRejected(body: Record<string, unknown>, field: string): Promise<void> {
  const answer = await alice.api.post<Refusal>('revision/', body, 400)
  assert.match(messageOf(answer), new RegExp(`\\b${field}\\b`), 'should name the field')
}

async function expectNoChange(attempt: () => Promise<void>): Promise<void> {
  const before = await snapshot(alice.api, place)
  await attempt()
  assert.deepEqual(await snapshot(alice.api, place), before, 'a rejected upload changed something')
}
