import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLanguageTag, localeOf } from './language-tag.js'

test('accepts well-formed language tags', () => {
  for (const tag of ['de', 'de-CH', 'zh-Hant-TW', 'pt-br']) assert.ok(isLanguageTag(tag), tag)
  const others = [
    '',
    '*',
    'd',
    'de_CH',
    'de\n',
    'de-',
    ' de',
    'English please',
    'ü',
    `de${'-abcd'.repeat(7)}`,
  ]
  for (const text of others) assert.ok(!isLanguageTag(text), text)
})

test('finds the locale of a tag', () => {
  for (const [tag, locale] of [
    ['de', 'de'],
    ['DE-ch', 'de-CH'],
    ['de-XX', 'de'],
    ['en', 'en-GB'],
    ['en-US', 'en-US'],
  ] as const) {
    assert.equal(localeOf(tag), locale)
  }
})
