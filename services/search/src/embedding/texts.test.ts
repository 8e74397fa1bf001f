import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsToEmbed } from './texts.js'

test('texts are one line each, and blank ones a full stop', () => {
  assert.deepEqual(textsToEmbed([' bar\n chart ', '', ' \t'], 100), ['bar chart', '.', '.'])
})

test('long texts are cut at the end of a word, and a long word anywhere', () => {
  assert.deepEqual(textsToEmbed(['bar chart of yields'], 12), ['bar chart of'])
  assert.deepEqual(textsToEmbed(['bar chart of yields'], 11), ['bar chart'])
  assert.deepEqual(textsToEmbed(['x'.repeat(50)], 11), ['x'.repeat(11)])
})
