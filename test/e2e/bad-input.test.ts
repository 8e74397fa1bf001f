import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Client, messageOf, type Refusal } from '../src/client.js'
import { VERSIONS } from '../src/deployment.js'
import { newPlace, type Place, snapshot } from '../src/publish.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
})

/** All text members, each with the rest of a valid body. */
const WRITES = () => [
  { method: 'POST', path: 'workspace/', rest: { description: 'D' }, status: 400 },
  {
    method: 'POST',
    path: 'analysis/',
    rest: { workspace: place.workspace.api_id },
    status: 400,
  },
  { method: 'POST', path: 'figure/', rest: { analysis: place.analysis.api_id }, status: 400 },
  { method: 'PATCH', path: `workspace/${place.workspace.api_id}/`, rest: {}, status: 400 },
  { method: 'PUT', path: `analysis/${place.analysis.api_id}/`, rest: {}, status: 400 },
  { method: 'PATCH', path: `figure/${place.figure.api_id}/`, rest: {}, status: 400 },
]

for (const [what, value] of [
  ['a number', 5],
  ['a list', ['a']],
  ['an object', { a: 1 }],
  ['true', true],
  ['empty', ''],
  ['U+0000', 'nul\u0000byte'],
  ['a lone high surrogate', 'high \ud800 end'],
  ['a lone low surrogate', 'low \udc00'],
  ['10,000 characters', 'n'.repeat(10_000)],
] as const) {
  test(`rejects a name that is ${what}, names the member, and leaves nothing`, async () => {
    await expectNoChange(alice.api, async () => {
      for (const { method, path, rest, status } of WRITES()) {
        const json = { ...rest, name: value }
        expectField(await alice.api.request<Refusal>(method, path, { json, status }), 'name')
      }
    })
  })
}

for (const [what, value] of [
  ['a number', 5],
  ['an object', {}],
  ['U+0000', 'a\u0000'],
  ['a lone surrogate', '\udfff'],
] as const) {
  test(`rejects a description that is ${what}, names the member, and leaves nothing`, async () => {
    await expectNoChange(alice.api, async () => {
      for (const { method, path, rest, status } of WRITES()) {
        const json = { ...rest, name: 'fine', description: value }
        expectField(await alice.api.request<Refusal>(method, path, { json, status }), 'description')
      }
    })
  })
}

test('rejects a create without a name, and names the member', async () => {
  await expectNoChange(alice.api, async () => {
    for (const { method, path, rest } of WRITES()) {
      if (method !== 'POST') continue
      for (const json of [rest, { ...rest, name: null }]) {
        expectField(await alice.api.request<Refusal>('POST', path, { json, status: 400 }), 'name')
      }
    }
  })
})

test('reports all problems of a body at once, and writes nothing', async () => {
  const cases: [path: string, body: Record<string, unknown>, errors: Problem[]][] = [
    [
      'analysis/',
      {},
      [
        { field: 'workspace', problem: 'is required' },
        { field: 'name', problem: 'is required' },
      ],
    ],
    // Catalog checks these.
    [
      'workspace/',
      { name: '', description: 'd'.repeat(200_000) },
      [
        { field: 'name', problem: 'must not be empty' },
        { field: 'description', problem: 'must have at most N characters' },
      ],
    ],
    [
      'revision/',
      { figure: place.figure.api_id, data: [{ type: 'image', data: '' }, { name: 5 }] },
      [
        { field: 'data[1].type', problem: 'is required' },
        { field: 'data[1].data', problem: 'is required' },
        { field: 'data[1].name', problem: 'must be a string' },
      ],
    ],
    [
      `workspace/${place.workspace.api_id}/members/add/`,
      { username: 5, membership_type: 'workspace_viewer' },
      [
        { field: 'username', problem: 'must be a username' },
        { field: 'membership_type', problem: 'must be one of admin, creator, viewer' },
      ],
    ],
  ]
  await expectNoChange(alice.api, async () => {
    for (const [path, json, errors] of cases) {
      const { body } = await alice.api.post<Refusal>(path, json, 400)
      const found = body.errors?.map(({ field, problem }) => ({
        field,
        problem: problem.replace(/\d+ characters/, 'N characters'),
      }))
      assert.deepEqual(found, errors, path)
    }
  })
})

test('sends 403 without permission, also for an invalid body', async () => {
  const eve = await signUp()
  const body = { name: 5, description: 5, username: 5, membership_type: 'none' }
  const { api_id: id } = place.workspace
  await eve.api.request('PATCH', `workspace/${id}/`, { json: body, status: 403 })
  await eve.api.post(`workspace/${id}/members/add/`, body, 403)
  await eve.api.post('analysis/', { ...body, workspace: id }, 403)
  await eve.api.request('PATCH', `workspace/${id}/subscription/`, {
    json: { plans: 1 },
    status: 403,
  })
})

for (const [resource, field] of [
  ['analysis', 'workspace'],
  ['figure', 'analysis'],
  ['revision', 'figure'],
] as const) {
  test(`rejects a ${resource} without a valid ${field}, names the member, and leaves nothing`, async () => {
    await expectNoChange(alice.api, async () => {
      for (const parent of [undefined, null, 5, '', 'x', [], {}, 'a\u0000', 'not-a-uuid']) {
        const body = { name: 'N', data: [], [field]: parent }
        expectField(await alice.api.post<Refusal>(`${resource}/`, body, 400), field)
      }
      const wrongType = resource === 'analysis' ? place.figure.api_id : place.workspace.api_id
      for (const parent of [crypto.randomUUID(), wrongType]) {
        const body = { name: 'N', data: [], [field]: parent }
        expectField(await alice.api.post<Refusal>(`${resource}/`, body, 400), field)
      }
    })
  })
}

const MALFORMED: [string, string | Uint8Array][] = [
  ['a word', 'nonsense'],
  ['an unclosed object', '{"name":"x"'],
  ['a trailing comma', '{"name":"x",}'],
  ['single quotes', "{'name':'x'}"],
  ['two values', '{"name":"x"}{"name":"y"}'],
  ['text after the value', '{"name":"x"} x'],
  ['a raw newline in a string', '{"name":"a\nb"}'],
  ['a bad escape', String.raw`{"name":"\x41"}`],
  ['NaN', '{"name":"x","a":NaN}'],
  ['a comment', '{"name":"x"/* */}'],
  ['a leading zero', '{"name":"x","a":01}'],
  ['invalid UTF-8', Buffer.from('{"name":"\xff\xfe"}', 'latin1')],
  ['overlong UTF-8', Buffer.from('{"name":"\xc0\xaf"}', 'latin1')],
  ['a surrogate in UTF-8', Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')],
  ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
]

for (const version of VERSIONS) {
  test(`${version}: sends 400 for malformed JSON on every write, and leaves nothing`, async () => {
    const me = alice.at(version)
    await expectNoChange(me, async () => {
      for (const [, raw] of MALFORMED) {
        for (const { method, path } of WRITES()) {
          await me.request(method, path, { raw, status: 400 })
        }
      }
    })
  })
}

test('sends 400 for a body that is not an object, and leaves nothing', async () => {
  await expectNoChange(alice.api, async () => {
    for (const raw of ['null', '[]', '"name"', '5', 'true', '[{"name":"x"}]']) {
      for (const { method, path } of WRITES()) {
        await alice.api.request(method, path, { raw, status: 400 })
      }
      await alice.api.request('POST', 'revision/', { raw, status: 400 })
      await alice.api.request('POST', '/api/token/', { raw, status: 400 })
      await alice.api.request('POST', 'user/', { raw, status: 400 })
    }
  })
})

test('sends 400 for excessive nesting, and leaves nothing', async () => {
  await expectNoChange(alice.api, async () => {
    for (const depth of [5_000, 200_000]) {
      const deep = '['.repeat(depth)
      const closed = deep + ']'.repeat(depth)
      for (const raw of [deep, `{"name":"x","a":${closed}`]) {
        await alice.api.request('POST', 'workspace/', { raw, status: 400 })
      }
      const objects = '{"a":'.repeat(depth)
      const status = objects.length > 1024 * 1024 ? 413 : 400
      await alice.api.request('POST', 'workspace/', { raw: objects, status })
    }
  })
})

test('treats names of JavaScript properties as unknown members', async () => {
  const raw =
    '{"name":"Proto","__proto__":{"name":"x","workspace_type":"primary"},' +
    '"constructor":{"prototype":{"is_staff":true}},"toString":5,"hasOwnProperty":1}'
  const { body } = await alice.api.request<{ name: string; workspace_type: string }>(
    'POST',
    'workspace/',
    { raw, status: 201 },
  )
  assert.equal(body.name, 'Proto')
  assert.equal(body.workspace_type, 'secondary')
  const inherited = '{"__proto__":{"name":"inherited"}}'
  await alice.api.request('POST', 'workspace/', { raw: inherited, status: 400 })
})

test('stores text that looks like an attack unchanged', async () => {
  for (const name of [
    "'; drop table node; --",
    '<script>alert(1)</script>',
    '{{7*7}} #{7*7} %s %n',
    '../../etc/passwd',
    '\u202eright to left',
    'a\tb\nc',
  ]) {
    const { body } = await alice.api.post<{ name: string; api_id: string }>('workspace/', { name })
    assert.equal(body.name, name)
    const read = await alice.api.get<{ name: string }>(`workspace/${body.api_id}/`)
    assert.equal(read.body.name, name)
  }
})

test('handles unusual query strings', async () => {
  const plain = (await alice.api.get('workspace/')).body
  for (const query of [
    '?silent=maybe',
    '?silent',
    '?silent=true&silent=false',
    '?shallow[]=x&shallow[a]=y',
    '?%00=%ff',
    '?q=%00',
    `?q=${'x'.repeat(5000)}`,
  ]) {
    assert.deepEqual((await alice.api.get(`workspace/${query}`, 200)).body, plain, query)
    if (query.startsWith('?q=')) {
      expectField(await alice.api.get<Refusal>(`user/${query}`, 400), 'q')
    } else {
      await alice.api.get(`user/${query}`, 200)
    }
  }
})

type Problem = NonNullable<Refusal['errors']>[number]

async function expectNoChange(owner: Client, attempt: () => Promise<void>): Promise<void> {
  const before = await snapshot(owner, place)
  await attempt()
  assert.deepEqual(await snapshot(owner, place), before, 'a rejected write changed something')
}

function expectField(answer: Parameters<typeof messageOf>[0], field: string): void {
  assert.match(messageOf(answer), new RegExp(`\\b${field}\\b`), 'the message should name the field')
}
