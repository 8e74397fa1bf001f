import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ObjectNotFound, type ObjectRange, type ObjectStore, type StoredObject } from './port.js'

/** What every object store must do; `open` returns an empty one. */
export function objectStoreContract(name: string, open: () => Promise<ObjectStore>): void {
  test(`${name}: returns the bytes of an object as stored`, async () => {
    const store = await open()
    const bytes = new Uint8Array(3_000_001).map((_, index) => index * 7)
    await store.put('a/b-1_2.bin', inChunks(bytes, 65_536))
    assert.deepEqual(await read(store, 'a/b-1_2.bin'), Buffer.from(bytes))
  })

  test(`${name}: stores and lists an object of many mebibytes`, async () => {
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

  test(`${name}: stores empty objects, with and without a chunk`, async () => {
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

  test(`${name}: allows reusing a chunk once the next is pulled`, async () => {
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

  test(`${name}: leaves nothing after a failed put and throws the source's error`, async () => {
    const store = await open()
    const broken = async function* () {
      yield new Uint8Array(100_000)
      throw new RangeError('the source failed')
    }
    await assert.rejects(store.put('x/broken', broken()), RangeError)
    await assert.rejects(read(store, 'x/broken'), ObjectNotFound)
    assert.deepEqual(await keysBelow(store, ''), [])
  })

  test(`${name}: leaves nothing after a put that fails after many mebibytes`, async () => {
    const store = await open()
    const broken = async function* () {
      for (let n = 0; n < 13; n++) yield new Uint8Array(2 ** 20)
      throw new RangeError('the source failed')
    }
    await assert.rejects(store.put('x/broken', broken()), RangeError)
    await assert.rejects(read(store, 'x/broken'), ObjectNotFound)
    assert.deepEqual(await keysBelow(store, ''), [])
  })

  test(`${name}: throws ObjectNotFound, also for keys above and below an object`, async () => {
    const store = await open()
    await store.put('a/b', inChunks(new Uint8Array(1), 1))
    for (const key of ['a', 'a/b/c', 'b', 'a/c']) {
      await assert.rejects(read(store, key), ObjectNotFound, key)
    }
  })

  test(`${name}: closes a read that is left early`, async () => {
    const store = await open()
    await store.put('long', inChunks(new Uint8Array(2_000_000), 65_536))
    for await (const _ of store.get('long')) break
    await store.delete(['long'])
    await assert.rejects(read(store, 'long'), ObjectNotFound)
  })

  test(`${name}: reads a range, truncated at the end of the object`, async () => {
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
    await assert.rejects(read(store, 'none', { offset: 0, length: 1 }), ObjectNotFound)
  })

  test(`${name}: deletes existing objects and ignores missing ones`, async () => {
    const store = await open()
    for (const key of ['a/1', 'a/2', 'b']) await store.put(key, inChunks(new Uint8Array(1), 1))
    await store.delete(['a/1', 'missing', 'a', 'a/none', 'b'])
    assert.deepEqual(await keysBelow(store, ''), ['a/2'])
    await store.delete([])
  })

  test(`${name}: stores and deletes concurrently in one folder`, async () => {
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

  test(`${name}: lists the keys with a prefix`, async () => {
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

  test(`${name}: lists many objects once each and deletes them all`, async () => {
    const store = await open()
    const keys = Array.from({ length: 50 }, (_, n) => `many/${String(n).padStart(2, '0')}`)
    await store.put('other', inChunks(new Uint8Array(1), 1))
    await Promise.all(keys.map((key) => store.put(key, inChunks(new Uint8Array(1), 1))))
    assert.deepEqual(await keysBelow(store, 'many/'), keys)
    await store.delete(keys)
    assert.deepEqual(await keysBelow(store, ''), ['other'])
  })

  test(`${name}: lists size and modification time`, async () => {
    const store = await open()
    // A store may have its own clock, with whole seconds.
    const before = Date.now() - 2000
    await store.put('sized', inChunks(new Uint8Array(70_001), 65_536))
    let object: StoredObject | undefined
    for await (const one of store.list('')) object = one
    assert.ok(object)
    assert.equal(object.sizeBytes, 70_001)
    const modifiedOn = object.modifiedOn.getTime()
    assert.ok(modifiedOn >= before && modifiedOn <= Date.now() + 2000)
  })

  test(`${name}: accepts a direct upload only with the presigned URL`, async (t) => {
    const store = await open()
    if (!store.presignPut) return t.skip('clients cannot reach this store')
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

  test(`${name}: rejects invalid keys in every method`, async () => {
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

/** Bytes without repetition. */
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
