import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsOf } from '../texts/texts.js'
import { formattedJson, parsedJson } from './json.js'
import { jsonTree } from './json-tree.js'

const shown = (text: string, valuesMax = 100) =>
  jsonTree(textsOf({ headers: {} }), parsedJson(text)?.value, valuesMax).toString()

test('shows JSON as nested lists that can be folded', () => {
  const markup = shown('{"a": [1, {"b": {"c": null}}], "d": "<b>\\"x", "__proto__": true}')
  assert.equal(markup.match(/<details open>/g)?.length, 2)
  assert.equal(markup.match(/<details>/g)?.length, 2)
  assert.ok(markup.includes('<span class="hs">&quot;&lt;b&gt;\\&quot;x&quot;</span>'))
  assert.ok(markup.includes('<span class="hf">__proto__</span>: <span class="hn">true</span>'))
  assert.equal(shown('3'), '<div class="json"><span class="hn">3</span></div>')
})

test('shows a part of large, long and deep JSON', () => {
  const large = shown(JSON.stringify(Array.from({ length: 500 }, (_, i) => i)))
  assert.equal(large.match(/<li>/g)?.length, 100)
  assert.match(large, /Only the beginning is shown/)
  assert.doesNotMatch(shown('[1, 2]', 2), /Only the beginning/)
  assert.ok(shown(JSON.stringify('x'.repeat(5000))).length < 2200)
  const deep = shown(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  assert.equal(deep.match(/<li>/g)?.length, 20)
})

test('formats JSON that is not too deep', () => {
  assert.equal(formattedJson('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}\n')
  assert.equal(formattedJson('{'), undefined)
  assert.equal(formattedJson(`${'['.repeat(101)}${']'.repeat(101)}`), undefined)
})
