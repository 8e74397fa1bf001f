import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Base64Stream, JsonArrayStream, RawJson, writeJson } from './json-writer.js'

async function* streaming<T>(...items: T[]): AsyncGenerator<T> {
  yield* items
}

/** The whole text; also checks the length, if it is known. */
async function written(value: unknown): Promise<string> {
  const { body, lengthBytes } = writeJson(value)
  let text = ''
  if (typeof body === 'string') text = body
  else for await (const piece of body) text += piece
  if (lengthBytes !== undefined) assert.equal(lengthBytes, Buffer.byteLength(text))
  return text
}

const bytesOf = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, i) => (i * 37) % 256))

const split = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  )

const native: [string, unknown][] = [
  ['null', null],
  ['a number', 1.5],
  ['a string', 'é😀"\\\n\0'],
  ['an object', { a: 1, b: [true, null, { c: '' }], d: undefined }],
  ['a list with holes', [undefined, () => 1, Number.NaN]],
  ['a date', { at: new Date(0) }],
]

for (const [what, value] of native) {
  test(`writes like JSON.stringify: ${what}`, () => {
    const { body } = writeJson(value)
    assert.equal(body, JSON.stringify(value))
  })
}

test('writes undefined as null', () => {
  assert.equal(writeJson(undefined).body, 'null')
  assert.equal(writeJson(() => 1).body, 'null')
})

const raw = (text: string): RawJson => new RawJson(text)

const spliced: [string, unknown, string][] = [
  ['alone', raw('[1 , 2]'), '[1 , 2]'],
  ['a large number', { a: raw('9007199254740993') }, '{"a":9007199254740993}'],
  ['the order of members', { a: raw('{"b":1,"1":2,"a":1.0}') }, '{"a":{"b":1,"1":2,"a":1.0}}'],
  ['several', [raw('1'), 'x', raw('2'), { c: raw('3') }], '[1,"x",2,{"c":3}]'],
  ['side by side', [raw('{}'), raw('[]')], '[{},[]]'],
  ['$ and its patterns', { a: raw('"$& $1 $$"') }, '{"a":"$& $1 $$"}'],
  ['text beyond ASCII', { ä: raw('"漢😀"') }, '{"ä":"漢😀"}'],
  ['an empty text', { a: raw('') }, '{"a":}'],
]

for (const [what, value, expected] of spliced) {
  test(`inserts raw text: ${what}`, async () => {
    assert.equal(writeJson(value).body, expected)
    assert.equal(await written(value), expected)
  })
}

test('inserts one raw value in several places', () => {
  const same = raw('1.0')
  assert.equal(writeJson({ a: same, b: [same, same] }).body, '{"a":1.0,"b":[1.0,1.0]}')
})

/** Gets the marker of a raw value during a call, which is impossible outside of tests. */
function stealMarker(beside: (marker: string) => unknown): string {
  const spy = { toJSON: () => beside(raw('"stolen"').toJSON()) }
  const { body } = writeJson([raw('0'), spy])
  assert.ok(typeof body === 'string')
  return body
}

test('does not replace text that imitates a marker', () => {
  let marker = ''
  stealMarker((stolen) => {
    marker = stolen
    return null
  })
  const forms = [marker, marker.slice(1), `"${marker}"`, `\\${marker}`, `\\"${marker}"`]
  const imitations = [
    ...forms,
    ...forms.map((text) => JSON.stringify(text)),
    ...forms.map((text) => JSON.stringify(text).slice(1, -1)),
    ...forms.map((text) => text.replace('\0', '\\u0000')),
    ...forms.map((text) => text.replace('\0', '\\\\u0000')),
    ...['\0', '\0:1', '\\u0000:1', '\0\0'],
    ...Array.from({ length: 20 }, (_, i) =>
      marker.replace(/\d+:(\d+)$/, `${Number(marker.split(':')[1]) - i}:$1`),
    ),
  ]
  const value = imitations.map((text) => ({ text, [text]: raw('1.0') }))
  const { body } = writeJson(value)
  assert.ok(typeof body === 'string')
  assert.deepEqual(
    JSON.parse(body),
    imitations.map((text) => ({ text, [text]: 1 })),
  )
  assert.equal(body.split(':1.0').length - 1, imitations.length)
})

test('does not search inserted text for markers', () => {
  let marker = ''
  stealMarker((stolen) => {
    marker = stolen
    return null
  })
  const text = JSON.stringify(marker)
  assert.equal(writeJson([raw(text), raw('1')]).body, `[${text},1]`)
})

test('throws for an insert outside writeJson, also after a failed call', () => {
  assert.throws(() => JSON.stringify(raw('1')), /only writeJson can write a RawJson/)
  const failing = { toJSON: () => assert.fail('no') }
  assert.throws(() => writeJson([raw('1'), failing]), /no/)
  assert.throws(() => JSON.stringify(raw('1')), /only writeJson/)
})

test('supports nested calls', () => {
  const inner = { toJSON: () => String(writeJson([raw('1.0')]).body) }
  assert.equal(writeJson([raw('2.0'), inner, raw('3.0')]).body, '[2.0,"[1.0]",3.0]')
})

for (let size = 1; size <= 10; size++) {
  test(`encodes a stream in chunks of ${size}`, async () => {
    for (let length = 0; length <= 40; length++) {
      const bytes = bytesOf(length)
      const value = { a: 1, data: new Base64Stream(streaming(...split(bytes, size)), length), b: 2 }
      assert.equal(await written(value), `{"a":1,"data":"${bytes.toString('base64')}","b":2}`)
    }
  })
}

test('encodes large chunks, empty chunks and a reused buffer', async () => {
  const bytes = bytesOf(700_001)
  const reused = Buffer.alloc(150_000)
  async function* source(): AsyncGenerator<Uint8Array> {
    for (const part of split(bytes, 149_999)) {
      yield new Uint8Array(0)
      part.copy(reused)
      yield new Uint8Array(reused.buffer, reused.byteOffset, part.length)
      reused.fill(0)
    }
  }
  const text = await written(new Base64Stream(source(), bytes.length))
  assert.equal(text, JSON.stringify(bytes.toString('base64')))
})

test('writes two streams of one value in order', async () => {
  const order: string[] = []
  async function* source(name: string): AsyncGenerator<Uint8Array> {
    order.push(`${name} opened`)
    yield Buffer.from(name)
    order.push(`${name} ended`)
  }
  const value = {
    a: new Base64Stream(source('1'), 1),
    m: raw('1.0'),
    b: new Base64Stream(source('2'), 1),
  }
  assert.equal(await written(value), '{"a":"MQ==","m":1.0,"b":"Mg=="}')
  assert.deepEqual(order, ['1 opened', '1 ended', '2 opened', '2 ended'])
})

test('streams a list with items of all kinds', async () => {
  const items = streaming<unknown>(
    1,
    raw('9007199254740993'),
    { m: raw('{"b":1,"a":2}') },
    undefined,
    { data: new Base64Stream(streaming(Buffer.from('x')), 1) },
    new JsonArrayStream(streaming()),
    new JsonArrayStream(streaming('é')),
    'end',
  )
  const { body, lengthBytes } = writeJson({ rows: new JsonArrayStream(items), n: 2 })
  assert.equal(lengthBytes, undefined)
  assert.notEqual(typeof body, 'string')
  let text = ''
  for await (const piece of body) text += piece
  const rows = '[1,9007199254740993,{"m":{"b":1,"a":2}},null,{"data":"eA=="},[],["é"],"end"]'
  assert.equal(text, `{"rows":${rows},"n":2}`)
})

test('writes a top-level list, and an empty list', async () => {
  assert.equal(await written(new JsonArrayStream(streaming(1, 2))), '[1,2]')
  assert.equal(await written(new JsonArrayStream(streaming())), '[]')
})

test('buffers small items, and reads them on demand', async () => {
  let made = 0
  async function* items(): AsyncGenerator<unknown> {
    for (; made < 10_000; made++) yield { made }
  }
  let pieces = 0
  let text = ''
  const { body } = writeJson(new JsonArrayStream(items()))
  for await (const piece of body) {
    if (++pieces === 1) assert.ok(made < 5000, String(made))
    text += piece
  }
  assert.ok(pieces < 10, String(pieces))
  assert.deepEqual(JSON.parse(text).at(-1), { made: 9999 })
})

test('reads a source only on demand', async () => {
  let pulled = 0
  async function* source(): AsyncGenerator<Uint8Array> {
    for (; pulled < 10; pulled++) yield bytesOf(48 * 1024)
  }
  const { body } = writeJson({ data: new Base64Stream(source(), 10 * 48 * 1024) })
  assert.ok(typeof body !== 'string')
  const pieces = body[Symbol.asyncIterator]()
  for (let i = 0; i < 5; i++) await pieces.next()
  assert.equal(pulled, 2)
})

test('passes errors of a source to the reader', async () => {
  const lost = new Error('lost')
  async function* source(): AsyncGenerator<Uint8Array> {
    yield bytesOf(9)
    throw lost
  }
  await assert.rejects(written({ data: new Base64Stream(source(), 99) }), (error) => error === lost)
  await assert.rejects(written(new JsonArrayStream(source())), (error) => error === lost)
})

test('throws if a stream has the wrong length', async () => {
  for (const promised of [0, 3, 5]) {
    const stream = new Base64Stream(streaming(bytesOf(2), bytesOf(2)), promised)
    await assert.rejects(written([stream]), /wrong length/)
  }
})

test('ends the source if the reader stops early', async () => {
  let ended = 0
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield bytesOf(60_000)
    } finally {
      ended++
    }
  }
  const base64 = (): Base64Stream => new Base64Stream(source(), 1e9)
  const items = streaming({ data: base64() })
  for (const value of [[base64()], new JsonArrayStream(items), new JsonArrayStream(source())]) {
    const { body } = writeJson(value)
    ended = 0
    let pieces = 0
    for await (const _ of body) if (++pieces === 3) break
    assert.equal(ended, 1)
  }
})
