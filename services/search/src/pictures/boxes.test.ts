import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxesOf, trim } from './boxes.js'
import { type Box, type Grey, wholeOf } from './grey.js'

function picture(width: number, height: number, colour: number): Grey {
  return { width, height, data: new Float32Array(width * height).fill(colour) }
}

function fill(
  grey: Grey,
  { left, top, right, bottom }: Box,
  colour: (x: number, y: number) => number,
) {
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) grey.data[y * grey.width + x] = colour(x, y)
}

const box = (left: number, top: number, right: number, bottom: number): Box => ({
  left,
  top,
  right,
  bottom,
})
const checks = (x: number, y: number) => (((x >> 3) + (y >> 3)) % 2 === 0 ? 30 : 200)
const content = box(120, 160, 264, 256)

test('margins are removed, also those of two colours', () => {
  const grey = picture(400, 300, 255)
  fill(grey, content, checks)
  assert.deepEqual(trim(grey, wholeOf(grey)), content)
  const framed = picture(400, 300, 40)
  fill(framed, box(30, 20, 380, 290), () => 250)
  fill(framed, content, checks)
  assert.deepEqual(boxesOf(framed).content, content)
})

test('a picture of one colour stays whole', () => {
  const grey = picture(20, 10, 128)
  assert.deepEqual(boxesOf(grey), { content: wholeOf(grey), centre: box(2, 1, 18, 9), framed: [] })
})

test('the content of a page is found in a window', () => {
  const grey = picture(400, 300, 255)
  fill(grey, box(0, 0, 400, 60), () => 220)
  fill(grey, box(40, 24, 304, 48), checks)
  fill(grey, content, checks)
  assert.deepEqual(boxesOf(grey).framed, [content])
})

test('the largest block of a page with text is found', () => {
  const grey = picture(400, 400, 255)
  fill(grey, box(0, 0, 400, 60), () => 220)
  fill(grey, box(40, 24, 304, 48), checks)
  fill(grey, box(24, 80, 376, 96), checks)
  fill(grey, content, checks)
  fill(grey, box(24, 336, 376, 352), checks)
  assert.deepEqual(boxesOf(grey).framed, [box(24, 80, 376, 352), content])
})

test('a chart is no window', () => {
  const grey = picture(400, 300, 255)
  fill(grey, box(20, 20, 380, 22), () => 90)
  fill(grey, box(20, 20, 22, 280), () => 90)
  fill(grey, box(60, 100, 120, 280), () => 90)
  assert.deepEqual(boxesOf(grey).framed, [])
})
