import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashWords } from './global.js'
import { encodeGlobal, globalBytes } from './global-code.js'
import { PictureIndex } from './picture-index.js'

/** A hash in which the first `ones` bits are set. */
const hash = (ones: number) =>
  Uint32Array.from({ length: hashWords }, (_, i) => {
    const bits = Math.min(32, Math.max(0, ones - 32 * i))
    return bits === 32 ? 0xffffffff : 2 ** bits - 1
  })
const allBits = 32 * hashWords
const far = hash(allBits)

const global = (content: number, centre = allBits, framed: number[] = [], whole = content) =>
  encodeGlobal({
    whole: hash(whole),
    content: hash(content),
    centre: hash(centre),
    framed: framed.map(hash),
  })

const ids = (found: { id: string }[]) => found.map(({ id }) => id)

test('a global descriptor has a fixed length', () => {
  assert.equal(globalBytes, global(1, 2, [3, 4]).length)
  assert.equal(
    globalBytes,
    encodeGlobal({ whole: far, content: far, centre: far, framed: [] }).length,
  )
  assert.ok(globalBytes <= 512)
})

test('the nearest pictures come first, with their distances', () => {
  const index = new PictureIndex()
  for (const ones of [90, 10, 50, 30, 70]) index.set(`${ones}`, global(ones))
  const found = index.candidates(global(0), 3)
  assert.deepEqual(ids(found), ['10', '30', '50'])
  assert.deepEqual(
    found.map(({ distance }) => distance * allBits),
    [10, 30, 50],
  )
  assert.equal(index.candidates(global(0), 10).length, 5)
  assert.deepEqual(index.candidates(global(0), 0), [])
})

test('equally near pictures come in the order of their slots', () => {
  const index = new PictureIndex()
  for (const id of ['a', 'b', 'c']) index.set(id, global(5))
  assert.deepEqual(ids(index.candidates(global(0), 2)), ['a', 'b'])
})

test('the parts of pictures are compared with each other', () => {
  const index = new PictureIndex()
  index.set('crop', global(20, 300))
  index.set('original', global(300, 20))
  index.set('screenshot', global(400, 400, [200, 20]))
  const same = (query: Buffer) =>
    ids(index.candidates(query, 3).filter(({ distance }) => distance === 0))
  assert.deepEqual(same(global(20, 120)), ['crop', 'original', 'screenshot'])
  assert.deepEqual(same(global(120, 120, [20])), ['crop', 'screenshot'])
  assert.deepEqual(same(global(120, 20)), ['crop'])
})

test('a picture is found by the whole of it, if a mark changes its content', () => {
  const index = new PictureIndex()
  index.set('other', global(100, 200))
  index.set('marked', global(400, 300, [], 20))
  assert.deepEqual(ids(index.candidates(global(40, 60, [], 20), 1)), ['marked'])
})

test('pictures are replaced and removed, and their slots used again', () => {
  const index = new PictureIndex()
  const first = index.set('a', global(10))
  index.set('b', global(20))
  assert.equal(index.set('a', global(200)), first)
  assert.deepEqual(ids(index.candidates(global(0), 2)), ['b', 'a'])
  index.remove('a')
  index.remove('a')
  assert.equal(index.size, 1)
  assert.deepEqual(ids(index.candidates(global(0), 2)), ['b'])
  assert.equal(index.set('c', global(1)), first)
  assert.deepEqual(ids(index.candidates(global(0), 2)), ['c', 'b'])
})

test('only allowed pictures are found', () => {
  const index = new PictureIndex()
  const slots = [1, 2, 3, 4].map((ones) => index.set(`${ones}`, global(ones)))
  const found = index.candidates(global(0), 2, (slot) => slot !== slots[0] && slot !== slots[2])
  assert.deepEqual(ids(found), ['2', '4'])
})

test('the index grows, and is exact', () => {
  const index = new PictureIndex()
  const ones = Array.from({ length: 3000 }, (_, i) => (i * 7919) % allBits)
  ones.forEach((each, i) => {
    index.set(`${i}`, global(each))
  })
  // The centre of the query, in which all bits are set, is compared, too.
  const expected = ones
    .map((each, i) => ({ i, distance: Math.min(each, allBits - each) }))
    .sort((a, b) => a.distance - b.distance || a.i - b.i)
    .slice(0, 50)
    .map(({ i }) => `${i}`)
  assert.deepEqual(ids(index.candidates(global(0), 50)), expected)
})

test('a descriptor of another length is refused', () => {
  assert.throws(() => new PictureIndex().set('a', Buffer.alloc(globalBytes - 4)), /descriptor/)
})
