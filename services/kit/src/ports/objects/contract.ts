import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ObjectMissing, type ObjectRange, type ObjectStore, type StoredObject } from './port.js'

/** What every object store must do; `open` answers an empty one. */
export function objectStoreContract(name: string, open: () => Promise<ObjectStore>): void {
  test(`${name}: the bytes of an object come back as they were stored`, async () => {
    const store = await open()
    const bytes = new Uint8Array(3_000_001).map((_, index) => index * 7)
    await store.put('a/b-1_2.bin', inChunks(bytes, 65_536))
    assert.deepEqual(await read(store, 'a/b-1_2.bin'), Buffer.from(bytes))
  })

  test(`${name}: an object of many mebibytes comes back whole, and its list tells its size`, async () => {
    const store = await open()
    const size = 21 * 2 ** 20 + 5
    await store.put('large', inChunks(pattern(size), 200_003))
    assert.ok((await read(store, 'large')).equals(pattern(size)))
    const middle = { offset: 5 * 2 ** 20 - 10, length: 6 * 2 ** 20 }
    const expected = pattern(size).subarray(middle.offset, middle.offset + middle.length)
    assert.ok((await read(store, 'large', middle)).equals(expected))
    const listed: number[] = []
    for await (const { sizeBytes } of store.list('')) listed.push(sizeBytes)
    assert.deepEqual(listed, [size])
    await store.delete(['large'])
    assert.deepEqual(await keysBelow(store, ''), [])
  })

  test(`${name}: an object may be empty, with and without a chunk`, async () => {
    const store = await open()
    await store.put('none', inChunks(new Uint8Array(0), 1))
    await store.put(
      'empty',
      (async function* () {
        yield new Uint8Array(0)
      })(),
    )
    assert.equal((await read(store, 'none')).length, 0)
    assert.equal((await read(store, 'empty')).length, 0)
  })

  test(`${name}: a chunk may be reused by its sender as soon as the next is pulled`, async () => {
    const store = await open()
    const chunk = new Uint8Array(1000)
    await store.put(
      'reused',
      (async function* () {
        for (let n = 0; n < 5; n++) yield chunk.fill(n)
      })(),
    )
    const expected = Buffer.concat([0, 1, 2, 3, 4].map((n) => Buffer.alloc(1000, n)))
    assert.deepEqual(await read(store, 'reused'), expected)
  })

  test(`${name}: a failed put leaves nothing, and its source's error is what is thrown`, async () => {
    const store = await open()
    const broken = async function* () {
      yield new Uint8Array(100_000)
      throw new RangeError('the source failed')
    }
    await assert.rejects(store.put('x/broken', broken()), RangeError)
    await assert.rejects(read(store, 'x/broken'), ObjectMissing)
    assert.deepEqual(await keysBelow(store, ''), [])
  })

  test(`${name}: a put that fails after many mebibytes leaves nothing`, async () => {
    const store = await open()
    const broken = async function* () {
      for (let n = 0; n < 13; n++) yield new Uint8Array(2 ** 20)
      throw new RangeError('the source failed')
    }
    await assert.rejects(store.put('x/broken', broken()), RangeError)
    await assert.rejects(read(store, 'x/broken'), ObjectMissing)
    assert.deepEqual(await keysBelow(store, ''), [])
  })

  test(`${name}: a missing object is ObjectMissing, also above and below another`, async () => {
    const store = await open()
    await store.put('a/b', inChunks(new Uint8Array(1), 1))
    for (const key of ['a', 'a/b/c', 'b', 'a/c']) {
      await assert.rejects(read(store, key), ObjectMissing, key)
    }
  })

  test(`${name}: leaving a read early closes it`, async () => {
    const store = await open()
    await store.put('long', inChunks(new Uint8Array(2_000_000), 65_536))
    for await (const _ of store.get('long')) break
    await store.delete(['long'])
    await assert.rejects(read(store, 'long'), ObjectMissing)
  })

  test(`${name}: a part of an object is read alone, up to its end`, async () => {
    const store = await open()
    const bytes = new Uint8Array(1_000_003).map((_, index) => index * 11)
    await store.put('parts', inChunks(bytes, 65_536))
    for (const [offset, length] of [
      [0, 1],
      [0, 1_000_003],
      [262_143, 2],
      [500_000, 400_000],
      [1_000_002, 1],
      [999_000, 10_000_000],
    ] as const) {
      const expected = Buffer.from(bytes.subarray(offset, offset + length))
      assert.ok(expected.equals(await read(store, 'parts', { offset, length })), `from ${offset}`)
    }
    await assert.rejects(read(store, 'none', { offset: 0, length: 1 }), ObjectMissing)
  })

  test(`${name}: delete removes what is there and accepts what is not`, async () => {
    const store = await open()
    for (const key of ['a/1', 'a/2', 'b']) await store.put(key, inChunks(new Uint8Array(1), 1))
    await store.delete(['a/1', 'missing', 'a', 'a/none', 'b'])
    assert.deepEqual(await keysBelow(store, ''), ['a/2'])
    await store.delete([])
  })

  test(`${name}: a key is free again at once where others were deleted meanwhile`, async () => {
    const store = await open()
    const one = (n: number) => `folder/${n}`
    await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        for (let time = 0; time < 25; time++) {
          await store.put(one(n), inChunks(new Uint8Array(1), 1))
          await store.delete([one(n)])
        }
      }),
    )
    assert.deepEqual(await keysBelow(store, ''), [])
  })

  test(`${name}: list answers the keys that begin with a prefix, and no others`, async () => {
    const store = await open()
    const keys = ['a/1', 'a/b/2', 'ab/3', 'c']
    for (const key of keys) await store.put(key, inChunks(new Uint8Array(1), 1))
    assert.deepEqual(await keysBelow(store, 'a/'), ['a/1', 'a/b/2'])
    assert.deepEqual(await keysBelow(store, ''), keys)
    assert.deepEqual(await keysBelow(store, 'a'), ['a/1', 'a/b/2', 'ab/3'])
    assert.deepEqual(await keysBelow(store, 'a/b'), ['a/b/2'])
    assert.deepEqual(await keysBelow(store, 'none/'), [])
    assert.deepEqual(await keysBelow(store, 'none/more'), [])
  })

  test(`${name}: a list answers all of many objects, once each, and all can be deleted`, async () => {
    const store = await open()
    const keys = Array.from({ length: 50 }, (_, n) => `many/${String(n).padStart(2, '0')}`)
    await store.put('other', inChunks(new Uint8Array(1), 1))
    await Promise.all(keys.map((key) => store.put(key, inChunks(new Uint8Array(1), 1))))
    assert.deepEqual(await keysBelow(store, 'many/'), keys)
    await store.delete(keys)
    assert.deepEqual(await keysBelow(store, ''), ['other'])
  })

  test(`${name}: a list tells how large an object is and since when it is there`, async () => {
    const store = await open()
    // A store may keep whole seconds, and have a clock of its own.
    const before = Date.now() - 2000
    await store.put('sized', inChunks(new Uint8Array(70_001), 65_536))
    let object: StoredObject | undefined
    for await (const one of store.list('')) object = one
    assert.ok(object)
    assert.equal(object.sizeBytes, 70_001)
    const modifiedOn = object.modifiedOn.getTime()
    assert.ok(modifiedOn >= before && modifiedOn <= Date.now() + 2000)
  })

  test(`${name}: who has the URL, and no one else, puts the object that it names`, async (t) => {
    const store = await open()
    if (!store.presignPut) return t.skip('clients cannot reach it')
    const url = await store.presignPut('direct/1', { expiresSeconds: 60 })
    const put = (to: string) => fetch(to, { method: 'PUT', body: Buffer.from('by itself') })
    assert.equal((await put(url.replace('direct/1', 'direct/2'))).status, 403)
    assert.equal((await put(url.split('?')[0] ?? '')).ok, false)
    assert.deepEqual(await keysBelow(store, ''), [])
    assert.equal((await put(url)).status, 200)
    assert.equal((await read(store, 'direct/1')).toString(), 'by itself')
    assert.deepEqual(await keysBelow(store, ''), ['direct/1'])
    await assert.rejects(store.presignPut('../a', { expiresSeconds: 60 }), /object key/)
  })

  test(`${name}: a key that is none is refused everywhere, and nothing is touched`, async () => {
    const store = await open()
    for (const key of ['', '/a', 'a/', 'a//b', '..', '../a', 'a/../b', 'a/.', 'a b', 'a\0', 'ä']) {
      await assert.rejects(store.put(key, inChunks(new Uint8Array(1), 1)), /object key/, key)
      await assert.rejects(read(store, key), /object key/, key)
      await assert.rejects(store.delete([key]), /object key/, key)
    }
    await assert.rejects(keysBelow(store, '../'), /object key/)
    assert.deepEqual(await keysBelow(store, ''), [])
  })
}

/** Bytes of which no two mebibytes are the same. */
function pattern(size: number) {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at + 4 <= size; at += 4)
    bytes.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at)
  return bytes
}

async function* inChunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(store: ObjectStore, key: string, range?: ObjectRange) {
  const chunks: Uint8Array[] = []
  for await (const chunk of store.get(key, range)) chunks.push(Uint8Array.from(chunk))
  return Buffer.concat(chunks)
}

async function keysBelow(store: ObjectStore, prefix: string) {
  const keys: string[] = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys.sort()
}
