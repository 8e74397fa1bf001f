import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { emojiOf } from './emoji.js'

/** The RGI emoji of Unicode 16. */
const known = Object.keys(
  JSON.parse(
    readFileSync(new URL(import.meta.resolve('unicode-emoji-json/data-by-emoji.json')), 'utf8'),
  ),
)

test('accepts every emoji, with or without variation selectors', () => {
  assert.ok(known.length > 1800, `${known.length}`)
  for (const emoji of known) {
    assert.equal(emojiOf(emoji), emoji)
    assert.equal(emojiOf(emoji.replaceAll('\ufe0f', '')), emoji)
  }
})

test('accepts skin tones, flags, keycaps and joined sequences as one emoji', () => {
  const ones = ['👍🏽', '🇨🇭', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '👩🏾‍🚀', '👨‍👩‍👧‍👦', '🏳️‍🌈', '❤️‍🔥', '#️⃣', '©️', '🧑🏻‍❤️‍💋‍🧑🏿']
  for (const emoji of ones) assert.equal(emojiOf(emoji), emoji)
  assert.equal(emojiOf('❤'), '❤️')
  assert.equal(emojiOf('🏳‍🌈'), '🏳️‍🌈')
})

test('rejects any other text', () => {
  const others = [
    '',
    ' ',
    'a',
    '1',
    '#',
    ':)',
    ':smile:',
    '👍👍',
    '👍 ',
    ' 👍',
    '👍\n',
    '👍a',
    '🇨',
    '🇦🇦',
    '🇨🇭🇨🇭',
    '\u200d',
    '\ufe0f',
    '👩‍',
    '‍👩',
    '👍‍👎',
    '\ud83d',
    '👍\0',
    '❤︎',
    '<b>👍</b>',
    '👍🏽🏽',
    '👨‍'.repeat(1000),
    '👍'.repeat(100_000),
  ]
  for (const text of others)
    assert.equal(emojiOf(text), undefined, JSON.stringify(text.slice(0, 20)))
})
