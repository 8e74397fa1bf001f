import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creatorHtml, nameHtml } from './text.js'

test('escapes user-provided text', () => {
  const hostile = `"><script>alert(1)</script>'&amp;`
  const expected = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;amp;'
  assert.equal(nameHtml(hostile).toString(), `<bdi>${expected}</bdi>`)
  assert.equal(creatorHtml({ createdBy: hostile }).toString(), `<bdi>${expected}</bdi>`)
  assert.match(creatorHtml({ createdBy: 'robot', onBehalf: { name: 'Ada' } }).toString(), /Ada/)
})
