import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DataType } from '@figbase/proto/revisions'
import { imageCandidates } from './candidates.js'

const image = (metadata: unknown) => ({
  type: DataType.IMAGE,
  metadata: JSON.stringify(metadata),
  is_clone: false,
})
const order = (...metadata: unknown[]) => {
  const data = metadata.map(image)
  return imageCandidates(data).map((one) => data.indexOf(one))
}

test('images without a watermark come before others, bitmaps before vector images', () => {
  assert.deepEqual(
    order(
      { format: 'png', is_watermarked: true },
      { format: 'eps', is_watermarked: false },
      { format: 'svg', is_watermarked: false },
      { format: 'PNG', is_watermarked: false },
    ),
    [3, 2, 1, 0],
  )
})

test('metadata is only a hint: no image is left out', () => {
  assert.deepEqual(order([], { format: 7 }, {}, { is_watermarked: 'yes' }), [0, 1, 2, 3])
})

test('clones come after new images, unless those cannot be decoded', () => {
  const clone = { ...image({ format: 'png' }), is_clone: true }
  const fresh = image({ format: 'svg', is_watermarked: true })
  const undecodable = image({ format: 'html' })
  assert.deepEqual(imageCandidates([clone, undecodable, fresh]), [fresh, clone, undecodable])
})

test('only images are candidates', () => {
  const file = { ...image({ format: 'png' }), type: DataType.FILE }
  assert.deepEqual(imageCandidates([file]), [])
})

test('bitmap formats rank equally, then vector formats by speed, then unknown formats', () => {
  const bitmaps = ['tif', 'tiff', 'gif', 'webp', 'jpg', 'jpeg', 'png']
  const bitmapsFirst = bitmaps.map((format) => ({ format }))
  assert.deepEqual(order(...bitmapsFirst, { format: 'bmp' }), [0, 1, 2, 3, 4, 5, 6, 7])
  for (const format of bitmaps) {
    assert.deepEqual(order({ format: 'bmp' }, { format }), [1, 0], format)
  }
  const vectors = ['eps', 'pdf', 'svg'].map((format) => ({ format }))
  assert.deepEqual(order(...vectors, { format: 'bmp' }), [3, 2, 1, 0])
})

test('undecodable formats come last', () => {
  for (const format of ['html', 'pickle', 'rds']) {
    const watermarked = { format: 'eps', is_watermarked: true }
    assert.deepEqual(order({ format }, watermarked), [1, 0], format)
  }
})
