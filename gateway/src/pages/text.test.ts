import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTimestamp } from '@figbase/kit/db'
import { createdHtml, humanBytes, nameHtml } from './text.js'

test('formats sizes', () => {
  for (const [bytes, expected] of [
    [0n, '0 bytes'],
    [1n, '1 byte'],
    [999n, '999 bytes'],
    [1000n, '1.0 kB'],
    [9949n, '9.9 kB'],
    [9951n, '10 kB'],
    [12_345n, '12 kB'],
    [999_499n, '999 kB'],
    [999_500n, '1.0 MB'],
    [1_400_000n, '1.4 MB'],
    [64n * 2n ** 30n, '69 GB'],
    [2n ** 60n, '1152922 TB'],
  ] as const) {
    assert.equal(humanBytes(bytes), expected)
  }
})

test('escapes user-provided text', () => {
  const hostile = `"><script>alert(1)</script>'&amp;`
  const expected = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;amp;'
  assert.equal(nameHtml(hostile).toString(), `<bdi>${expected}</bdi>`)
  const createdOn = toTimestamp('2026-11-21 21:45:07.123456+00')
  assert.equal(
    createdHtml({ createdOn, createdBy: hostile }).toString(),
    `<time datetime="2026-11-21T21:45:07.123456Z">21 November 2026 at 21:45 UTC</time> by <bdi>${expected}</bdi>`,
  )
  assert.match(
    createdHtml({ createdOn, createdBy: 'robot', onBehalf: { name: 'Ada' } }).toString(),
    /Ada/,
  )
})
