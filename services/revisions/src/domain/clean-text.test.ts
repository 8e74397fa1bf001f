import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanText } from './clean-text.js'

test('a text is cut between characters, wherever the bound falls', () => {
  const text = 'aé€😀'
  const cuts = Array.from({ length: 11 }, (_, bytes) => cleanText(text, bytes))
  assert.deepEqual(cuts, ['', 'a', 'a', 'aé', 'aé', 'aé', 'aé€', 'aé€', 'aé€', 'aé€', text])
})

test('what PostgreSQL does not take is left out or mended', () => {
  assert.equal(cleanText(' a\0b \ud800 ', 100), 'ab \ufffd')
})

test('what just fits is whole, also after it was normalized', () => {
  assert.equal(cleanText('\ud800a', 4), '\ufffda')
  assert.equal(cleanText('é', 2), 'é')
})
