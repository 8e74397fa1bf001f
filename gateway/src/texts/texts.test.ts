import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { toTimestamp } from '@figbase/kit/db'
import { readMessages } from '@figbase/kit/messages'
import { html } from '@figbase/kit/text'
import { messageFormat } from './message-format.js'
import { type Messages, messagesOf } from './messages.js'
import { textsOf } from './texts.js'

const inLanguage = (accepted?: string) => textsOf({ headers: { 'accept-language': accepted } })
const hostile = `"><script>alert(1)</script>'&amp;`
const escaped = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;amp;'

test('chooses the language that the reader prefers, and English for all others', () => {
  for (const [accepted, language] of [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['it', 'en'],
    ['de', 'de'],
    ['de-AT,en;q=0.5', 'de'],
    ['it,fr;q=0.8,en;q=0.5', 'fr'],
    ['en;q=0.5,FR-ca', 'fr'],
    ['de;q=0,fr', 'fr'],
    ['de-,;q=,x-y-z-\u00e4', 'de'],
    ['__proto__,constructor', 'en'],
  ] as const) {
    assert.equal(inLanguage(accepted).language, language, accepted)
  }
})

test('writes numbers and dates as in the region of the reader, for few regions', () => {
  assert.equal(inLanguage('de').number(1234567.5), '1.234.567,5')
  assert.match(inLanguage('de-CH').number(1234567.5), /^1[’']234[’']567\.5$/)
  assert.equal(inLanguage('en').number(1234567.5), '1,234,567.5')
  const time = toTimestamp('2026-11-21 21:45:07.123456+00')
  const shown = (accepted: string) => inLanguage(accepted).dateTime(time).toString()
  const begin = '<time datetime="2026-11-21T21:45:07.123456Z">'
  assert.equal(shown('en'), `${begin}21 November 2026 at 21:45 UTC</time>`)
  assert.equal(shown('en-US'), `${begin}November 21, 2026 at 9:45 PM UTC</time>`)
  assert.equal(shown('de'), `${begin}21. November 2026 um 21:45 UTC</time>`)
  assert.equal(shown('fr'), `${begin}21 novembre 2026 à 21:45 UTC</time>`)
  assert.match(inLanguage('fr').date(time).toString(), /data-show="date">21 novembre 2026</)
  assert.equal(inLanguage('fr').date(undefined).toString(), '')
  assert.equal(inLanguage('de-XX'), inLanguage('de'))
})

test('a file adds a language', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'figbase-messages-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const name of ['da.json', 'en.json', 'pt-BR.json', 'README.md']) {
    await writeFile(join(folder, name), '{ "frame.guide": "Vejledning" }')
  }
  const read = readMessages<Messages>(pathToFileURL(`${folder}/`))
  assert.deepEqual([...read.keys()], ['en', 'da', 'pt-BR'])
  assert.equal(read.get('da')?.['frame.guide'], 'Vejledning')
})

test('chooses the form of a plural', () => {
  const { t } = inLanguage('de')
  assert.equal(t('revision.count', { count: 1 }).toString(), '1 Revision')
  assert.equal(t('revision.count', { count: 2345 }).toString(), '2.345 Revisionen')
})

const format = (message: string) =>
  messageFormat({ ...messagesOf.get('en'), 'list.empty': message } as Messages, 'en')

test('escapes the values of a message, but not markup', () => {
  const t = format('{name} and <link>{other}</link>')
  const values = {
    name: hostile,
    other: html`<b>${hostile}</b>`,
    link: (content: unknown) => html`<a href="/">${content as string}</a>`,
  }
  assert.equal(
    t('list.empty', values).toString(),
    `${escaped} and <a href="/"><b>${escaped}</b></a>`,
  )
  const inside = format('<link>{other}</link>')
  assert.equal(
    inside('list.empty', { ...values, other: hostile }).toString(),
    `<a href="/">${escaped}</a>`,
  )
})

test('a message cannot contain markup of its own', () => {
  const quoted = format("'<'img src=x onerror=alert(1)'>' & \"q\"")
  assert.equal(
    quoted('list.empty').toString(),
    '&lt;img src=x onerror=alert(1)&gt; &amp; &quot;q&quot;',
  )
  // A tag is a function of the page, which this page does not have.
  assert.throws(() => format('<script>alert(1)</script>')('list.empty'), /script/)
})
