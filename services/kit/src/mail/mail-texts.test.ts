import assert from 'node:assert/strict'
import { test } from 'node:test'
import type english from '../../messages/en.json'
import { messagesContract } from '../messages/messages-contract.js'
import { readMailTexts } from './mail-texts.js'

const messages = new URL('../../../messages/', import.meta.url)
const textsOf = readMailTexts<typeof english>(messages)

messagesContract({ messages, sources: new URL('../../../src/', import.meta.url) })

test('writes in the language of the reader, with the times of their region', () => {
  const time = new Date('2026-01-31T15:30:00Z')
  for (const [tag, language, shown] of [
    ['', 'en', '31 January 2026 at 15:30 UTC'],
    ['en', 'en', '31 January 2026 at 15:30 UTC'],
    ['en-US', 'en', 'January 31, 2026 at 3:30 PM UTC'],
    ['it-CH', 'en', '31 January 2026 at 15:30 UTC'],
    ['DE-at', 'de', '31. Jänner 2026 um 15:30 UTC'],
    ['de-XX', 'de', '31. Januar 2026 um 15:30 UTC'],
    ['fr', 'fr', '31 janvier 2026 à 15:30 UTC'],
    ['fro', 'en', '31 January 2026 at 15:30 UTC'],
    ['__proto__', 'en', '31 January 2026 at 15:30 UTC'],
  ] as const) {
    const texts = textsOf(tag)
    assert.equal(texts.language, language, tag)
    assert.equal(texts.time(time).replace('\u202f', ' '), shown, tag)
  }
})

test('writes dates, months and amounts of money in the form of the region', () => {
  const time = new Date('2026-01-31T23:30:00Z')
  for (const [tag, ...shown] of [
    ['', '31 January 2026', 'January 2026', '€1,234.50', 'JP¥1,234'],
    ['de-AT', '31. Jänner 2026', 'Jänner 2026', '€ 1.234,50', '¥ 1.234'],
    ['fr', '31 janvier 2026', 'janvier 2026', '1 234,50 €', '1 234 JPY'],
  ] as const) {
    const { date, month, money } = textsOf(tag)
    const amounts = [money(123_450n, 'EUR'), money(1234n, 'JPY')]
    const all = [date(time), month('2026-01'), ...amounts]
    assert.deepEqual(
      all.map((text) => text.replaceAll(/\s/g, ' ')),
      shown,
    )
  }
})

test('values are no messages', () => {
  const site = "{site, plural, other {<b>'#'</b>}}\r\nBcc: eve"
  assert.equal(
    textsOf('de').t('mail.announcement', { site }),
    "Mitteilung von {site, plural, other {<b>'#'</b>}} Bcc: eve:",
  )
})
