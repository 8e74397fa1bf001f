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

test('images without a watermark come first, bitmaps before drawings', () => {
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

test('metadata is only a hint: whatever it is, no image is left out', () => {
  assert.deepEqual(order([], { format: 7 }, {}, { is_watermarked: 'yes' }), [0, 1, 2, 3])
})

test('clones come after what is new, unless that cannot be shown', () => {
  const clone = { ...image({ format: 'png' }), is_clone: true }
  const fresh = image({ format: 'svg', is_watermarked: true })
  const hopeless = image({ format: 'html' })
  assert.deepEqual(imageCandidates([clone, hopeless, fresh]), [fresh, clone, hopeless])
})

test('only images stand for a revision', () => {
  const file = { ...image({ format: 'png' }), type: DataType.FILE }
  assert.deepEqual(imageCandidates([file]), [])
})

test('all bitmaps are as good, then comes what is drawn, the quickest first, then what is unknown', () => {
  const bitmaps = ['tif', 'tiff', 'gif', 'webp', 'jpg', 'jpeg', 'png']
  const bitmapsFirst = bitmaps.map((format) => ({ format }))
  assert.deepEqual(order(...bitmapsFirst, { format: 'bmp' }), [0, 1, 2, 3, 4, 5, 6, 7])
  for (const format of bitmaps) {
    assert.deepEqual(order({ format: 'bmp' }, { format }), [1, 0], format)
  }
  const drawn = ['eps', 'pdf', 'svg'].map((format) => ({ format }))
  assert.deepEqual(order(...drawn, { format: 'bmp' }), [3, 2, 1, 0])
})

test('what cannot be shown at all comes last', () => {
  for (const format of ['html', 'pickle', 'rds']) {
    const watermarked = { format: 'eps', is_watermarked: true }
    assert.deepEqual(order({ format }, watermarked), [1, 0], format)
  }
})
