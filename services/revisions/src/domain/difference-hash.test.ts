import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differenceHash, type Pixels } from './difference-hash.js'

/** `grey` of each pixel, 0 to 255. */
function picture(
  [width, height]: [number, number],
  grey: (x: number, y: number) => number,
  opacity?: number,
): Pixels {
  const channels = opacity === undefined ? 3 : 4
  const data = new Uint8Array(width * height * channels)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels
      data.fill(grey(x, y), at, at + 3)
      if (opacity !== undefined) data[at + 3] = opacity
    }
  }
  return { data, width, height, channels }
}

const apart = (a: bigint, b: bigint) =>
  BigInt.asUintN(64, a ^ b)
    .toString(2)
    .replaceAll('0', '').length

test('a bit says whether a picture gets darker to the right', () => {
  assert.equal(differenceHash(picture([90, 80], () => 128)), 0n)
  assert.equal(differenceHash(picture([90, 80], (x) => 255 - x)), -1n, 'all 64 of them')
  assert.equal(differenceHash(picture([90, 80], (x) => x)), 0n)
  const lowerRight = picture([90, 80], (x, y) => (x >= 80 && y >= 70 ? 0 : 255))
  assert.equal(differenceHash(lowerRight), 1n)
  const upperLeft = picture([90, 80], (x, y) => (x >= 10 && x < 20 && y < 10 ? 0 : 255))
  assert.equal(BigInt.asUintN(64, differenceHash(upperLeft)), 1n << 63n)
})

test('invisible differences do not change the hash', () => {
  const transparent = picture([90, 80], (x) => 255 - x, 0)
  assert.equal(differenceHash(transparent), 0n, 'on white')
  assert.equal(
    differenceHash(picture([90, 80], (x) => 255 - Math.floor(x / 20))),
    0n,
    'nearly even',
  )
})

test('size and shape change few bits', () => {
  const wave = (w: number, h: number) =>
    picture([w, h], (x, y) => 128 + 100 * Math.sin((x / w) * 9 + (y / h) * 4))
  const one = differenceHash(wave(640, 480))
  for (const size of [
    [320, 240],
    [1024, 768],
    [333, 251],
    [640, 240],
  ] as const) {
    assert.ok(apart(one, differenceHash(wave(size[0], size[1]))) <= 4, size.join(' x '))
  }
  const other = picture([640, 480], (x, y) => 128 + 100 * Math.sin(y / 60 - x / 90))
  assert.ok(apart(one, differenceHash(other)) > 16)
})

test('a picture smaller than the grid has a hash', () => {
  for (const size of [
    [1, 1],
    [3, 200],
    [200, 2],
  ] as [number, number][]) {
    assert.equal(typeof differenceHash(picture(size, (x, y) => x ^ y)), 'bigint')
  }
})

test('colours are weighted by perceived lightness', () => {
  const coloured = (colour: [number, number, number]) => {
    const pixels = picture([90, 80], () => 255)
    // Each cell is darker than the one before.
    for (let at = 0; at < pixels.data.length; at++) {
      const column = Math.floor((Math.floor(at / 3) % 90) / 10)
      pixels.data[at] = 255 - column * (colour[at % 3] ?? 0)
    }
    return differenceHash(pixels)
  }
  // A difference counts if it is more than 2 of 255: red 7, green 4 or blue 19.
  assert.deepEqual([coloured([6, 0, 0]), coloured([7, 0, 0])], [0n, -1n])
  assert.deepEqual([coloured([0, 3, 0]), coloured([0, 4, 0])], [0n, -1n])
  assert.deepEqual([coloured([0, 0, 18]), coloured([0, 0, 19])], [0n, -1n])
  assert.equal(coloured([3, 1, 5]), -1n, 'together')
})

test('a half transparent pixel is half as dark', () => {
  const darker = (step: number, opacity: number) =>
    differenceHash(picture([90, 80], (x) => 255 - step * Math.floor(x / 10), opacity))
  assert.deepEqual([darker(3, 128), darker(3, 255)], [0n, -1n])
  assert.deepEqual([darker(5, 128), darker(20, 26)], [-1n, -1n])
})

test('all lines of a small cell are sampled, and all columns', () => {
  const dots = (isDark: (x: number, y: number) => boolean) =>
    BigInt.asUintN(64, differenceHash(picture([90, 80], (x, y) => (isDark(x, y) ? 0 : 255))))
  for (let y = 0; y < 10; y++) {
    assert.equal(
      dots((x, line) => x >= 10 && x < 20 && line === y),
      1n << 63n,
      `line ${y}`,
    )
    assert.equal(
      dots((x, line) => x >= 80 && line === 70 + y),
      1n,
      `line ${70 + y}`,
    )
  }
  for (let x = 10; x < 20; x++) {
    assert.equal(
      dots((column, y) => column === x && y < 10),
      1n << 63n,
      `column ${x}`,
    )
  }
})

test('in a picture smaller than the grid each pixel counts', () => {
  const smallest = picture([2, 1], (x) => (x === 0 ? 255 : 0))
  // The left cells are white, the right cells black: one difference in each row.
  assert.equal(BigInt.asUintN(64, differenceHash(smallest)), 0x0808080808080808n)
  const column = picture([9, 2], (x, y) => (y === 0 && x > 0 ? 0 : 255))
  assert.equal(BigInt.asUintN(64, differenceHash(column)), 0x8080808000000000n)
})

test('in a high picture each cell has lines of its own', () => {
  // Each cell has 64 lines. This pixel is in the last line of the first cell.
  const line = picture([9, 512], (x, y) => (x === 1 && y === 63 ? 0 : 255))
  assert.equal(BigInt.asUintN(64, differenceHash(line)), 1n << 63n)
})
