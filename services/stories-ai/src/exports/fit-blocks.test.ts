import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf } from './blocks.js'
import { fitBlocks } from './fit-blocks.js'

const area = { w: 12, h: 6 }

test('short text has its usual size, and long text is smaller until it fits', () => {
  const short = fitBlocks(blocksOf('# Title\n\nText.'), area)
  assert.equal(short.scale, 1)
  const long = fitBlocks(blocksOf('Many words. '.repeat(300)), area)
  assert.ok(long.scale < 1 && long.h <= area.h, JSON.stringify([long.scale, long.h]))
  const wide = fitBlocks(blocksOf('漢字'.repeat(500)), area)
  const narrow = fitBlocks(blocksOf('il'.repeat(500)), area)
  assert.ok(wide.scale < narrow.scale)
})

test('a table that does not fit loses rows, and says how many', () => {
  const cell = 'words '.repeat(60)
  const rows = Array(18).fill(`| ${cell} | ${cell} | ${cell} |`)
  const { placed, h } = fitBlocks(
    blocksOf(['Before.', '', '| a | b | c |', '|---|---|---|', ...rows, '', 'After.'].join('\n')),
    area,
  )
  assert.ok(h <= area.h + 0.001, String(h))
  const [, table] = placed.map(({ block }) => block)
  assert.ok(table && 'table' in table)
  const { rows: shown, rowsMissing } = table.table
  assert.ok(shown.length > 1 && rowsMissing > 0)
  assert.equal(shown.length - 1 + rowsMissing, 18)
})

test('blocks follow each other without overlapping', () => {
  const { placed } = fitBlocks(blocksOf('a\n\n| b |\n|---|\n| c |\n\nd'), area)
  assert.equal(placed.length, 3)
  for (const [i, { y }] of placed.entries()) {
    const above = placed[i - 1]
    if (above) assert.ok(y >= above.y + above.h)
  }
})
