import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BodyError } from './body-error.js'
import { scanUpload, type UploadLimits } from './upload-scanner.js'

const limits: UploadLimits = { memberBytesMax: 2000, objectsMax: 20, depthMax: 8, membersMax: 100 }

type Scanned = { members: Record<string, string>; objects: ScannedObject[] }
type ScannedObject = { members: Record<string, string>; data: string | undefined }

/** Scans an upload and collects its members, with data as hex. */
async function scan(pieces: Iterable<Uint8Array>, own: Partial<UploadLimits> = {}) {
  const scanned: Scanned = { members: {}, objects: [] }
  let data = ''
  for await (const event of scanUpload(arriving(pieces), { ...limits, ...own })) {
    if (event.kind === 'member') scanned.members[event.name] = event.raw
    else if (event.kind === 'chunk') data += Buffer.from(event.bytes).toString('hex')
    else {
      assert.equal(event.index, scanned.objects.length)
      const members = Object.fromEntries(event.members)
      scanned.objects.push({ members, data: event.hasData ? data : undefined })
      data = ''
    }
  }
  return scanned
}

async function* arriving(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces
}

const whole = (text: string): Uint8Array[] => [Buffer.from(text)]
const bytewise = (text: string): Uint8Array[] => Array.from(Buffer.from(text), (b) => Buffer.of(b))

async function errorOf(pieces: Iterable<Uint8Array>, own?: Partial<UploadLimits>) {
  try {
    await scan(pieces, own)
  } catch (error) {
    assert.ok(error instanceof BodyError, String(error))
    assert.match(error.reason, /^[A-Z].*\.$/)
    return error
  }
  return assert.fail('the body was accepted')
}

const one = (members: Record<string, string>, data?: string): Scanned => ({
  members: {},
  objects: [{ members, data }],
})

const accepted: [string, string, Scanned][] = [
  ['an empty object', '{}', { members: {}, objects: [] }],
  ['white space around all tokens', ' \r\n\t{ \n} \t', { members: {}, objects: [] }],
  ['no list', '{"a":1}', { members: { a: '1' }, objects: [] }],
  ['null for the list', '{"data":null}', { members: {}, objects: [] }],
  ['an empty list', '{"data":[ ]}', { members: {}, objects: [] }],
  ['an empty element', '{"data":[{}]}', one({})],
  ['null for data', '{"data":[{"data":null}]}', one({})],
  ['empty data', '{"data":[{"data":""}]}', one({}, '')],
  ['one byte', '{"data":[{"data":"AA=="}]}', one({}, '00')],
  ['two bytes', '{"data":[{"data":"AAE="}]}', one({}, '0001')],
  ['three bytes', '{"data":[{"data":"AAEC"}]}', one({}, '000102')],
  ['seven bytes', '{"data":[{"data":"AAECAwQFBg=="}]}', one({}, '00010203040506')],
  ['plus and slash', '{"data":[{"data":"+/+/"}]}', one({}, 'fbffbf')],
  ['escaped slashes', '{"data":[{"data":"\\/\\/\\/\\/+\\/+\\/"}]}', one({}, 'fffffffbffbf')],
  ['escaped letters', '{"data":[{"data":"\\u0041\\u0041E\\u003D"}]}', one({}, '0001')],
  ['an escaped name', '{"d\\u0061ta":[{"\\u0064ata":"AA=="}]}', one({}, '00')],
  ['data first', '{"data":[{"data":"AA==","name":"x"}]}', one({ name: '"x"' }, '00')],
  ['data last', '{"data":[{"name":"x","data":"AA=="}]}', one({ name: '"x"' }, '00')],
  [
    'a large number unchanged',
    '{"a":9007199254740993}',
    { members: { a: '9007199254740993' }, objects: [] },
  ],
  ['1.0 unchanged', '{"data":[{"n": 1.0 }]}', one({ n: '1.0' })],
  [
    'the order of members',
    '{"a":{"b":1, "a":2,"1":3}}',
    { members: { a: '{"b":1, "a":2,"1":3}' }, objects: [] },
  ],
  ['brackets in strings', '{"a":["]}\\"[{"]}', { members: { a: '["]}\\"[{"]' }, objects: [] }],
  ['a backslash at the end', '{"a":"\\\\"}', { members: { a: '"\\\\"' }, objects: [] }],
  [
    'every kind of value',
    '{"a":true,"b":false,"c":null,"d":-1e5,"e":"","f":[],"g":{}}',
    {
      members: { a: 'true', b: 'false', c: 'null', d: '-1e5', e: '""', f: '[]', g: '{}' },
      objects: [],
    },
  ],
  ['the last of two members', '{"a":1,"a":2}', { members: { a: '2' }, objects: [] }],
  ['the last of two in an element', '{"data":[{"a":1,"a":2}]}', one({ a: '2' })],
  [
    'nested members named data',
    '{"a":{"data":[1]},"data":[{"metadata":{"data":1}}]}',
    {
      members: { a: '{"data":[1]}' },
      objects: [{ members: { metadata: '{"data":1}' }, data: undefined }],
    },
  ],
  [
    'several elements',
    '{"data":[{"data":"AA=="},{"n":1},{"data":"AQ=="}]}',
    {
      members: {},
      objects: [
        { members: {}, data: '00' },
        { members: { n: '1' }, data: undefined },
        { members: {}, data: '01' },
      ],
    },
  ],
  [
    'text beyond ASCII',
    '{"ä":"漢😀","data":[{"😀":"é"}]}',
    {
      members: { ä: '"漢😀"' },
      objects: [{ members: { '😀': '"é"' }, data: undefined }],
    },
  ],
  [
    'an escaped pair',
    '{"a":"\\ud83d\\ude00"}',
    { members: { a: '"\\ud83d\\ude00"' }, objects: [] },
  ],
  [
    'an escaped backslash before u0000',
    '{"a":"\\\\u0000"}',
    { members: { a: '"\\\\u0000"' }, objects: [] },
  ],
  [
    'names of JavaScript properties',
    '{"data":[{"constructor":1,"toString":2}]}',
    one({ constructor: '1', toString: '2' }),
  ],
]

for (const [what, text, expected] of accepted) {
  test(`accepted: ${what}`, async () => {
    assert.deepEqual(await scan(whole(text)), expected)
    assert.deepEqual(await scan(bytewise(text)), expected)
  })
}

const malformed: [string, string][] = [
  ['an empty body', ''],
  ['white space alone', ' \n'],
  ['a byte order mark', '\ufeff{}'],
  ['text that is not JSON', 'figure=1'],
  ['a truncated null as body', 'nul'],
  ['invalid JSON as list', '{"data":nope}'],
  ['data after the end', '{} {}'],
  ['a brace after the end', '{}}'],
  ['a comma before the end', '{"a":1,}'],
  ['a comma at the start', '{,"a":1}'],
  ['two commas', '{"a":1,,"b":2}'],
  ['no comma', '{"a":1 "b":2}'],
  ['no comma after data', '{"data":[] "b":2}'],
  ['no colon', '{"a" 1}'],
  ['no value', '{"a":}'],
  ['no value before a comma', '{"a":,"b":1}'],
  ['no name', '{:1}'],
  ['a bare name', '{a:1}'],
  ['a name in single quotes', "{'a':1}"],
  ['a number for a name', '{1:1}'],
  ['a leading zero', '{"a":01}'],
  ['a plus sign', '{"a":+1}'],
  ['a bare point', '{"a":1.}'],
  ['NaN', '{"a":NaN}'],
  ['undefined', '{"a":undefined}'],
  ['a truncated literal', '{"a":tru}'],
  ['a truncated null as list', '{"data":nul}'],
  ['a truncated null as data', '{"data":[{"data":nul}]}'],
  ['characters after null', '{"data":nullx}'],
  ['two values', '{"a":1 2}'],
  ['a comment', '{"a":1/**/}'],
  ['a bad escape', '{"a":"\\x"}'],
  ['a short escape', '{"a":"\\u12"}'],
  ['a bad escape in a name', '{"\\x":1}'],
  ['a line feed in a string', '{"a":"\n"}'],
  ['a tab in a name', '{"\t":1}'],
  ['a raw U+0000', '{"a":"\0"}'],
  ['mismatched brackets', '{"a":[1}'],
  ['mismatched nested brackets', '{"a":[{]}}'],
  ['a comma in a nested list', '{"a":[1,]}'],
  ['a comma in the list', '{"data":[{},]}'],
  ['no comma in the list', '{"data":[{}{}]}'],
  ['a comma alone in the list', '{"data":[,]}'],
  ['the list closed by a brace', '{"data":[{}}'],
  ['an element closed by a bracket', '{"data":[{]}'],
  ['a comma before the end of an element', '{"data":[{"data":"AA==",}]}'],
  ['no comma after base64', '{"data":[{"data":"AA==" "a":1}]}'],
]

for (const [what, text] of malformed) {
  test(`malformed: ${what}`, async () => {
    for (const pieces of [whole(text), bytewise(text)]) {
      const { code, field } = await errorOf(pieces)
      assert.deepEqual({ code, field }, { code: 'malformed', field: '' })
    }
  })
}

const base64 = (text: string): string => `{"data":[{},{"data":"${text}"}]}`
const at = 'data[1].data'

const invalid: [string, string, string][] = [
  ['a list for the body', '[{}]', ''],
  ['a string for the body', '"a"', ''],
  ['null for the body', 'null', ''],
  ['a number for the body', '1', ''],
  ['an object for the list', '{"data":{}}', 'data'],
  ['a string for the list', '{"data":"AA=="}', 'data'],
  ['a number for the list', '{"data":0}', 'data'],
  ['false for the list', '{"data":false}', 'data'],
  ['a string in the list', '{"data":[{},"AA=="]}', 'data[1]'],
  ['null in the list', '{"data":[null]}', 'data[0]'],
  ['a list in the list', '{"data":[[]]}', 'data[0]'],
  ['a number for data', '{"data":[{"data":1}]}', 'data[0].data'],
  ['an object for data', '{"data":[{"data":{}}]}', 'data[0].data'],
  ['a list for data', '{"data":[{"data":[]}]}', 'data[0].data'],
  ['true for data', '{"data":[{"data":true}]}', 'data[0].data'],
  ['the list twice', '{"data":[],"data":[]}', 'data'],
  ['the list twice, by an escape', '{"data":[],"d\\u0061ta":[]}', 'data'],
  ['data twice', '{"data":[{"data":"AA==","data":"AA=="}]}', 'data[0].data'],
  ['one character', base64('A'), at],
  ['two characters', base64('AA'), at],
  ['three characters', base64('AAA'), at],
  ['five characters', base64('AAAAA'), at],
  ['too little padding', base64('AA='), at],
  ['too much padding', base64('AAAA='), at],
  ['a group of padding', base64('AAAA===='), at],
  ['padding alone', base64('===='), at],
  ['three paddings', base64('A==='), at],
  ['padding inside', base64('AA==AAAA'), at],
  ['padding inside a long text', base64(`${'A'.repeat(50)}==${'A'.repeat(48)}`), at],
  ['a letter after the padding', base64('AA=A'), at],
  ['a minus', base64('-AAA'), at],
  ['a minus earlier', base64('-AAAAAAAAAAA'), at],
  ['an underscore', base64('AAA_'), at],
  ['an underscore earlier', base64('AAA_AAAAAAAA'), at],
  ['a space', base64('AAAA AAAAAAA'), at],
  ['four spaces', base64('    AAAA'), at],
  ['four spaces at the end', base64('AAAA    '), at],
  ['a line feed', base64('AAAA\nAAAA'), at],
  ['an escaped line feed', base64('AAAA\\nAAAA'), at],
  ['a line feed as a code', base64('AAAA\\u000aAAA'), at],
  ['an escaped quote', base64('AAA\\"'), at],
  ['an escaped backslash', base64('AAA\\\\'), at],
  ['an escaped backslash and a slash', base64('AA\\\\/A'), at],
  ['a backslash by its code', base64('AA\\u005c/A'), at],
  ['a cut escape', base64('AAAA\\u00'), at],
  ['a letter whose low byte is an A', base64('AAA\\u0141'), at],
  ['a letter beyond ASCII', base64('AAAé'), at],
  ['a full-width letter', base64('AＡ'), at],
  ['bits beyond the first byte', base64('AB=='), at],
  ['bits beyond the second byte', base64('AAF='), at],
  ['a point', base64('....'), at],
  ['a data URL', base64('data:image/png;base64,AAAA'), at],
  ['U+0000 by its code', '{"a":"x\\u0000"}', 'a'],
  ['U+0000 in depth', '{"a":{"b":[1,{"c":"\\u0000"}]}}', 'a.b[1].c'],
  ['U+0000 in a name', '{"\\u0000":1}', ''],
  ['U+0000 in a name in depth', '{"a":{"b":{"\\u0000":1}}}', 'a.b'],
  ['U+0000 in a name of an element', '{"data":[{"\\u0000":1}]}', 'data[0]'],
  ['U+0000 in an element', '{"data":[{"name":"\\u0000"}]}', 'data[0].name'],
  ['U+0000 in metadata', '{"data":[{"metadata":{"a":"\\u0000"}}]}', 'data[0].metadata.a'],
  ['a high surrogate', '{"a":"\\ud800"}', 'a'],
  ['a low surrogate', '{"a":"\\uDFFF"}', 'a'],
  ['a reversed surrogate pair', '{"a":"\\ude00\\ud83d"}', 'a'],
  ['a high surrogate before a letter', '{"a":["\\ud83dx"]}', 'a[0]'],
  ['a surrogate in a name', '{"\\ud800":1}', ''],
]

for (const [what, text, field] of invalid) {
  test(`invalid: ${what}`, async () => {
    for (const pieces of [whole(text), bytewise(text)]) {
      const error = await errorOf(pieces)
      assert.deepEqual({ code: error.code, field: error.field }, { code: 'invalid', field })
    }
  })
}

const long = (length: number): string => 'x'.repeat(length)

const bounded: [string, string, Partial<UploadLimits>, string, string][] = [
  ['a long string', `{"a":"${long(99)}"}`, { memberBytesMax: 100 }, 'a', 'too_large'],
  ['a long number', `{"a":${'1'.repeat(101)}}`, { memberBytesMax: 100 }, 'a', 'too_large'],
  ['a long list', `{"a":[${'1,'.repeat(60)}1]}`, { memberBytesMax: 100 }, 'a', 'too_large'],
  ['a long name', `{"${long(200)}":1}`, { memberBytesMax: 100 }, '', 'too_large'],
  [
    'a long member',
    `{"data":[{"a":"${long(99)}"}]}`,
    { memberBytesMax: 100 },
    'data[0].a',
    'too_large',
  ],
  [
    'members that are too long together',
    `{"data":[{"a":"${long(50)}","b":"${long(50)}"}]}`,
    { memberBytesMax: 100 },
    'data[0]',
    'too_large',
  ],
  ['many elements', '{"data":[{},{},{}]}', { objectsMax: 2 }, 'data', 'too_large'],
  ['many members', '{"a":1,"b":2,"c":3}', { membersMax: 2 }, '', 'too_large'],
  [
    'many members in all',
    '{"a":1,"data":[{"a":1},{"b":1}]}',
    { membersMax: 3 },
    'data[1]',
    'too_large',
  ],
  ['deep lists', '{"a":[[[1]]]}', { depthMax: 3 }, 'a', 'invalid'],
  ['deep objects', '{"a":{"a":{"a":1}}}', { depthMax: 2 }, 'a', 'invalid'],
  ['a deep member', '{"data":[{"a":[[1]]}]}', { depthMax: 4 }, 'data[0].a', 'invalid'],
  [
    'unclosed deep nesting',
    `{"a":${'['.repeat(1e6)}`,
    { memberBytesMax: 1e7, depthMax: 64 },
    'a',
    'invalid',
  ],
]

for (const [what, text, own, field, code] of bounded) {
  test(`bounded: ${what}`, async () => {
    const error = await errorOf(whole(text), own)
    assert.deepEqual({ code: error.code, field: error.field }, { code, field })
  })
}

test('accepts values exactly at the limits', async () => {
  await scan(whole(`{"a":"${long(98)}","b":${'1'.repeat(100)}}`), { memberBytesMax: 100 })
  await scan(bytewise(`{"a":"${long(98)}","b":${'1'.repeat(100)}}`), { memberBytesMax: 100 })
  await scan(whole('{"data":[{},{}],"a":[[1]],"b":2}'), {
    objectsMax: 2,
    depthMax: 3,
    membersMax: 3,
  })
  await scan(whole('{"data":[{"a":[1]}]}'), { depthMax: 4 })
})

test('rejects invalid UTF-8 in values and names', async () => {
  const bad = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe6, 0xbc]]
  for (const bytes of bad.map((numbers) => Buffer.from(numbers))) {
    for (const [before, after] of [
      ['{"a":"', '"}'],
      ['{"', '":1}'],
      ['{"data":[{"', '":1}]}'],
    ] as const) {
      const body = Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])
      assert.equal((await errorOf([body])).code, 'malformed')
    }
    const body = Buffer.concat([Buffer.from('{"data":[{"data":"AAA'), bytes, Buffer.from('"}]}')])
    assert.equal((await errorOf([body])).field, 'data[0].data')
  }
})

test('truncates long names in the field of an error', async () => {
  const { field } = await errorOf(whole(`{"a":{"${'😀'.repeat(100)}":"\\u0000"}}`))
  assert.equal(field, `a.${'😀'.repeat(32)}…`)
})

const documents = [
  '{"figure":"f","metadata":{"é":[9007199254740993,"😀\\ud83d\\ude00"]},"data":[{"name":"a\\"","type":"image","data":"AAECAwQFBg==","metadata":{"b":null}},{"data":null},{"data":""}],"is_clean_room":false}',
  ' { "data" : [ { "data" : "\\/\\u002f+/AAEC\\/\\/8=" , "name" : null } , { } ] , "n" : -1.5e3 } ',
  `{"d\\u0061ta":[{"data":"${Buffer.from(long(60)).toString('base64')}"}],"client_id":"c"}`,
]

test('reads a body split at any two positions', async () => {
  for (const document of documents) {
    const bytes = Buffer.from(document)
    const expected = await scan([bytes])
    for (let i = 0; i <= bytes.length; i++) {
      const second = Math.min(bytes.length, i + 1 + ((i * 7) % 11))
      const pieces = [bytes.subarray(0, i), bytes.subarray(i, second), bytes.subarray(second)]
      assert.deepEqual(await scan(pieces), expected)
    }
    assert.deepEqual(await scan(bytewise(document)), expected)
  }
})

test('rejects a body truncated at any position as malformed', async () => {
  for (const document of documents) {
    const bytes = Buffer.from(document.trimEnd())
    for (let length = 0; length < bytes.length; length++) {
      const { code, field } = await errorOf([bytes.subarray(0, length)])
      assert.deepEqual({ code, field }, { code: 'malformed', field: '' }, String(length))
    }
  }
})

test('reads members in any order', async () => {
  let seed = 1
  const random = (): number => {
    seed = (seed * 48271) % 2147483647
    return seed / 2147483647
  }
  const shuffle = <T>(items: T[]): T[] =>
    items
      .map((item) => [random(), item] as const)
      .sort((a, b) => a[0] - b[0])
      .map(([, item]) => item)
  for (let round = 0; round < 300; round++) {
    const objects = Array.from({ length: Math.floor(random() * 4) }, (_, index) => ({
      bytes: Buffer.from(long(Math.floor(random() * 40))),
      members: { name: `"n${index}"`, type: '"image"', metadata: '{"b": 1, "a": [2]}' },
    }))
    const elements = objects.map(({ bytes, members }) => {
      const texts = Object.entries(members).map(([name, raw]) => `"${name}":${raw}`)
      return `{${shuffle([...texts, `"data": "${bytes.toString('base64')}"`]).join(',')}}`
    })
    const members = { figure: '"f"', metadata: '{"x": 1.0}', is_clean_room: 'false', other: '[]' }
    const texts = Object.entries(members).map(([name, raw]) => `"${name}":${raw}`)
    const body = Buffer.from(`{${shuffle([...texts, `"data":[${elements.join(',')}]`]).join(',')}}`)
    const cut = Math.floor(random() * body.length)
    assert.deepEqual(await scan([body.subarray(0, cut), body.subarray(cut)]), {
      members,
      objects: objects.map(({ bytes, members }) => ({ members, data: bytes.toString('hex') })),
    })
  }
})

test('rejects a member if and only if JSON.parse rejects it', async () => {
  let seed = 7
  const alphabet = [
    '{',
    '}',
    '[',
    ']',
    '"',
    '"',
    ',',
    ':',
    '\\',
    '\\u00e9',
    '\\n',
    'a',
    'é',
    '1',
    '0',
  ]
  alphabet.push(
    '-',
    '+',
    '.',
    'e',
    'E',
    ' ',
    'null',
    'true',
    'fal',
    '"a"',
    '"a":1',
    '\n',
    '\t',
    '\x7f',
  )
  let valid = 0
  for (let round = 0; round < 40_000; round++) {
    let text = ''
    for (let length = 1 + ((round >> 2) % 6); length > 0; length--) {
      seed = (seed * 48271) % 2147483647
      text += alphabet[seed % alphabet.length]
    }
    const body = `{"data":[{"x":${text}}]}`
    const isValid = isJson(body)
    if (isValid) valid++
    const pieces = round % 4 === 0 ? bytewise(body) : whole(body)
    const scanned = await scan(pieces).catch((error: unknown) => error)
    assert.equal(!(scanned instanceof Error), isValid, body)
  }
  assert.ok(valid > 500, String(valid))
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('reads only on demand', async () => {
  let pulled = 0
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"data":[{"data":"')
    for (; pulled < 100; pulled++) yield Buffer.from('A'.repeat(64 * 1024))
    yield Buffer.from('"}]}')
  }
  let bytes = 0
  for await (const event of scanUpload(body(), limits)) {
    if (event.kind !== 'chunk') continue
    assert.ok(event.bytes.length <= 256 * 1024)
    bytes += event.bytes.length
    const arrived = Math.min(100, pulled + 1) * 48 * 1024
    assert.ok(arrived - bytes <= 96 * 1024, `${arrived} received, ${bytes} passed on`)
  }
  assert.equal(bytes, 100 * 48 * 1024)
})

test('ends the body when the consumer stops or an error occurs', async () => {
  for (const text of ['{"a":1,"b":2}', '{"a":1,}']) {
    let returned = 0
    async function* body(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from(text)
        yield Buffer.from(' ')
      } finally {
        returned++
      }
    }
    const events = scanUpload(body(), limits)
    await events.next()
    assert.equal(returned, 0)
    if (text.endsWith(',}')) await assert.rejects(events.next(), BodyError)
    else await events.return(undefined)
    assert.equal(returned, 1)
  }
})

test('passes errors of the body to the consumer unchanged', async () => {
  const reset = new Error('reset')
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"data":[{"data":"AAAA')
    throw reset
  }
  const events = scanUpload(body(), limits)
  await assert.rejects(events.next(), (error) => error === reset)
})
