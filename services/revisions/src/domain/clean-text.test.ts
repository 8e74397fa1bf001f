import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanText } from './clean-text.js'

test('cuts a text between characters at every limit', () => {
  const text = 'aé€😀'
  const cuts = Array.from({ length: 11 }, (_, bytes) => cleanText(text, bytes))
  assert.deepEqual(cuts, ['', 'a', 'a', 'aé', 'aé', 'aé', 'aé€', 'aé€', 'aé€', 'aé€', text])
})

test('removes null characters and replaces invalid Unicode', () => {
  assert.equal(cleanText(' a\0b \ud800 ', 100), 'ab \ufffd')
})

test('keeps a text that just fits, also after normalization', () => {
  assert.equal(cleanText('\ud800a', 4), '\ufffda')
  assert.equal(cleanText('é', 2), 'é')
})
