import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillCorners } from './corners.js'
import type { Grey } from './grey.js'

const width = 200
const height = 150

/** A light picture with a dark disc, turned on a dark background. */
function turned(degrees: number, background: number): Grey {
  const turn = (degrees * Math.PI) / 180
  const data = new Float32Array(width * height)
  for (let i = 0; i < data.length; i++) {
    const x = (i % width) - width / 2
    const y = Math.floor(i / width) - height / 2
    const u = x * Math.cos(turn) - y * Math.sin(turn)
    const v = x * Math.sin(turn) + y * Math.cos(turn)
    const isInside = Math.abs(u) < width / 2 - 2 && Math.abs(v) < height / 2 - 3
    data[i] = !isInside ? background : Math.hypot(u, v) < 40 ? 30 : 240
  }
  return { width, height, data }
}

test('the corners of a slight rotation are filled', () => {
  for (const degrees of [2, -2]) {
    const picture = turned(degrees, 0)
    fillCorners(picture)
    assert.equal(picture.data[0], 240)
    assert.equal(picture.data.filter((value) => value === 0).length, 0)
    assert.equal(picture.data[(height / 2) * width + width / 2], 30)
  }
})

test('the background of a picture, and a large rotation, stay', () => {
  for (const picture of [turned(0, 240), turned(20, 0)]) {
    const before = picture.data.slice()
    fillCorners(picture)
    assert.deepEqual(picture.data, before)
  }
})
