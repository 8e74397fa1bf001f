import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFigure } from './describe-figure.js'

const limits = { codeCharsMax: 10_000, passageCharsMax: 100, wordsCharsMax: 200 }

test('says what a person says, then what the code means, then what it comments', () => {
  const { passages, words } = describeFigure(
    {
      name: 'Figure 3',
      description: 'Delays',
      metadata: 'project alpha',
      code: ['# of flights\nplt.hist(df["arr_delay"])\nplt.xlabel("Delay")'],
      columns: ['carrierName'],
    },
    limits,
  )
  assert.deepEqual(passages, [
    'Figure 3. Delays',
    'histogram. Delay. arr delay, carrier Name',
    'of flights. project alpha',
  ])
  assert.equal(words, 'histogram\nDelay\narr delay\ncarrier Name')
})

test('drawn and recognized text stands in for code, without numbers', () => {
  const parts = { drawings: ['Yield\n1930\n12.5'], ocr: 'Yield\nVariety_name' }
  assert.deepEqual(describeFigure(parts, limits).passages, ['Yield, Variety name'])
})

test('nothing known is nothing to embed, and everything is bounded', () => {
  assert.deepEqual(describeFigure({}, limits), { passages: [], words: '' })
  assert.deepEqual(describeFigure({ name: '12', ocr: '1\n2' }, limits).passages, [])
  const long = 'word '.repeat(100_000)
  const { passages, words } = describeFigure(
    { name: long, description: long, code: [`xlabel("${long.slice(0, 250)}")`], ocr: long },
    limits,
  )
  for (const passage of passages) assert.ok(passage.length <= limits.passageCharsMax)
  assert.ok(words.length <= limits.wordsCharsMax)
})
