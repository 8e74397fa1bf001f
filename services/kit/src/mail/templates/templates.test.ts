import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Site } from '../../rpc/site.js'
import { checkMessage } from '../check.js'
import type { MailContent } from '../mailer.js'
import { accountChangedMail } from './account-changed.js'
import { addressChangedMail } from './address-changed.js'
import { addressInUseMail } from './address-in-use.js'
import { invitationMail } from './invitation.js'
import { mentionMail } from './mention.js'
import { passwordChangedMail } from './password-changed.js'
import { passwordResetMail } from './password-reset.js'
import { verifyEmailMail } from './verify-email.js'

const url = 'https://figbase.example.org/do?token=a1&x=%3Cb%3E'
const figbase: Site = { name: 'Figbase', announcement: '' }
const expiresOn = new Date('2026-01-31T09:30:00Z')

/** Each template with a link, and `name` wherever users choose one. */
const mailsWith = (name: string, link = url, site = figbase): MailContent[] => [
  ...mailsUntil(name, link, site),
  addressInUseMail(site, { username: name, resetUrl: link }),
  passwordChangedMail(site, { username: name, resetUrl: link }),
  mentionMail(site, { author: name, target: 'figure', targetName: name, content: name, url: link }),
]

/** Those whose link ends at a time. */
const mailsUntil = (name: string, link = url, site = figbase): MailContent[] => [
  invitationMail(site, {
    inviter: name,
    target: 'workspace',
    targetName: name,
    url: link,
    expiresOn,
  }),
  verifyEmailMail(site, { username: name, url: link, expiresOn }),
  passwordResetMail(site, { username: name, url: link, expiresOn }),
]

/** The same of those without a link. */
const tidingsWith = (name: string, site = figbase): MailContent[] => [
  addressChangedMail(site, { username: name }),
  ...(['deactivated', 'active', 'deleted'] as const).map((became) =>
    accountChangedMail(site, { username: name, became }),
  ),
]
const allWith = (name: string, site = figbase) => [
  ...mailsWith(name, url, site),
  ...tidingsWith(name, site),
]

test('text and HTML say the same: whom, the link, until when', () => {
  for (const { text, html } of mailsUntil('Ada Lovelace')) {
    for (const part of [text, html]) assert.match(part, /31 January 2026 at 09:30 UTC/)
  }
  for (const { text, html } of tidingsWith('Ada Lovelace')) {
    assert.doesNotMatch(`${text}${html}`, /https?:|href/)
    assert.match(text, /Ada Lovelace/)
    for (const sentence of textOf(html)) assert.ok(text.includes(sentence), sentence)
  }
  for (const { text, html } of mailsWith('Ada Lovelace')) {
    for (const part of [text, html]) assert.match(part, /Ada Lovelace/)
    assert.ok(text.split('\n').includes(url), text)
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
    assert.deepEqual([...new Set(links)], [url.replaceAll('&', '&amp;')])
    for (const sentence of textOf(html)) assert.ok(text.includes(sentence), sentence)
  }
})

/** The paragraphs of the page, as people read them. */
const textOf = (html: string) =>
  [...html.matchAll(/<p [^>]*>([^<]*)<\/p>/g)].map(([, inner = '']) =>
    inner.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
  )

test('names are words and never markup', () => {
  const name = `<img src=x onerror=alert(1)> & "q" 'a' </p>`
  for (const { html, text } of allWith(name)) {
    assert.doesNotMatch(html, /<img|<\/p> ?”/)
    assert.match(html, /&lt;img src=x onerror=alert\(1\)&gt; &amp; &quot;q&quot; &#39;a&#39;/)
    assert.ok(text.includes(name))
  }
})

test('names cannot begin lines, headers or sentences of their own direction', () => {
  const name = 'A\r\nBcc: eve@example.org\u2028\u2029B\u202e\u2066C\u200f\u0000\u0007\ufeffD'
  for (const mail of allWith(name)) {
    checkMessage({ ...mail, to: { address: 'ada@example.org' }, messageId: '<1@example.org>' })
    for (const part of [mail.subject, mail.text, mail.html]) {
      assert.doesNotMatch(part, /^Bcc|(?!\n)\p{Cc}|[\u2028\u2029]|\p{Cf}/mu)
    }
    assert.ok(mail.text.includes('A Bcc: eve@example.org BC D'), mail.text)
  }
})

test('a long name is cut, between characters', () => {
  for (const { text } of allWith('🙂'.repeat(1000))) {
    assert.ok(text.includes(`“${'🙂'.repeat(99)}…”`))
  }
})

test('each mail names the site, and says what it announces before its signature', () => {
  const announcement = 'Down on Friday,\n<b>from</b> 18:00'
  for (const { subject, text, html } of allWith('Ada', { name: 'Lab <9>', announcement })) {
    assert.match(text, / on Lab <9>/)
    const end =
      'Announcement of Lab <9>: Down on Friday, <b>from</b> 18:00\n\n' +
      '-- \nSent by Lab <9>. Nobody reads answers to this address.\n'
    assert.ok(text.endsWith(`\n\n${end}`), text)
    assert.match(html, / on Lab &lt;9&gt;/)
    assert.match(
      html,
      />Announcement of Lab &lt;9&gt;: Down on Friday, &lt;b&gt;from&lt;\/b&gt; 18:00<\/p>\n<hr/,
    )
    assert.match(html, />Sent by Lab &lt;9&gt;\. Nobody/)
    assert.doesNotMatch(`${subject}${text}${html}`, /Figbase/)
  }
  for (const { text, html } of allWith('Ada')) {
    assert.match(text, /\n\n-- \nSent by Figbase\. Nobody reads answers to this address\.\n$/)
    assert.doesNotMatch(`${text}${html}`, /Announcement/)
  }
})

test('neither the name of a site nor its announcement begins lines, headers or directions', () => {
  const hostile = 'A\r\nBcc: eve@example.org\r\n\r\n-- \u2028B\u202e\u2066C\u0000\u0007D'
  for (const mail of allWith('Ada', { name: hostile, announcement: hostile })) {
    checkMessage({ ...mail, to: { address: 'ada@example.org' }, messageId: '<1@example.org>' })
    for (const part of [mail.subject, mail.text, mail.html]) {
      assert.doesNotMatch(part, /^Bcc|(?!\n)\p{Cc}|[\u2028\u2029]|\p{Cf}/mu)
    }
    assert.equal(mail.text.match(/^-- $/gm)?.length, 1)
    const line = 'A Bcc: eve@example.org -- BCD'
    assert.ok(mail.text.includes(`Announcement of ${line}: ${line}\n\n-- \nSent by ${line}.`))
  }
})

test('a long announcement is cut where the setting ends', () => {
  const longest = '🙂'.repeat(2000)
  for (const [announcement, shown] of [
    [longest, longest],
    [`${longest}x`, `${'🙂'.repeat(1999)}…`],
  ] as const) {
    for (const { text } of allWith('Ada', { name: 'Lab 9', announcement })) {
      assert.ok(text.includes(`\n\nAnnouncement of Lab 9: ${shown}\n\n-- \n`))
    }
  }
})

test('a link is http or https, and cannot leave its attribute', () => {
  for (const link of ['javascript:alert(1)', 'data:text/html,x', 'no address', '/relative']) {
    assert.throws(() => mailsWith('Ada', link), link)
  }
  for (const { html } of mailsWith('Ada', `https://example.org/"><script>'x'`)) {
    assert.doesNotMatch(html, /<script|"x/)
  }
})

test('a page asks nothing of other machines, and leaves colours to the reader', () => {
  for (const { html } of allWith('Ada')) {
    assert.doesNotMatch(html, /<img|<link|<script|src=|url\(|@import/i)
    assert.match(html, /<html lang="en">/)
    assert.match(html, /color-scheme" content="light dark"/)
  }
})

const mention = (content: string, target: 'figure' | 'asset' | 'revision' = 'figure') =>
  mentionMail(figbase, { author: 'Ada', target, targetName: 'Cells', content, url })
const linesOf = (content: string) =>
  mention(content)
    .text.split('\n')
    .filter((line) => line.startsWith('> '))

test('a mention names nothing that its reader may not view', () => {
  const of = { author: 'Ada', target: 'revision', targetName: '', content: 'x', url } as const
  const { subject, text } = mentionMail(figbase, of)
  assert.equal(subject, 'Ada mentioned you on a revision')
  assert.ok(text.startsWith('Ada mentioned you in a comment on a revision on Figbase:\n\n'), text)
})

test('a mention says who wrote what on what', () => {
  for (const [target, what] of [
    ['figure', 'the figure “Cells”'],
    ['asset', 'the asset “Cells”'],
    ['revision', 'a revision of “Cells”'],
  ] as const) {
    const { subject, text, html } = mention('See **this**, @bob', target)
    assert.equal(subject, `Ada mentioned you on ${what}`)
    assert.ok(text.startsWith(`Ada mentioned you in a comment on ${what} on Figbase:\n\n`), text)
    assert.match(text, /\n\n> See \*\*this\*\*, @bob\n\nSee the comment:\nhttps:/)
    assert.match(html, /<blockquote [^>]*>\n<p [^>]*>See \*\*this\*\*, @bob<\/p>\n<\/blockquote>/)
    for (const part of [text, html]) assert.match(part, /mention_emails/)
  }
})

test('a comment is quoted line by line, and none of its lines is one of the mail', () => {
  const content =
    'one\r\n\n  two\tthree\r-- \u2028\u2029four\u202e\u0085\u0000five\n\u200b\n> six\n'
  assert.deepEqual(linesOf(content), [
    ...['> one', '> two three', '> --', '> four', '> five', '> > six'],
  ])
  const { html } = mention('</p></blockquote><img src=x>\n<a href="javascript:x">')
  assert.doesNotMatch(html, /<img|<\/blockquote><|javascript:x">/)
  assert.deepEqual(linesOf(' \n\u202e\n'), [])
  assert.doesNotMatch(mention('\u200b').html, /blockquote/)
})

test('a long comment is cut, between characters', () => {
  assert.deepEqual(linesOf('🙂'.repeat(1000)), [`> ${'🙂'.repeat(1000)}`])
  assert.deepEqual(linesOf('🙂'.repeat(50_000)), [`> ${'🙂'.repeat(999)}…`])
  assert.deepEqual(linesOf(`${'x'.repeat(1000)}\ny`), [`> ${'x'.repeat(1000)}`, '> …'])
  const lines = Array.from({ length: 21 }, (_, n) => `line ${n}`)
  const shown = lines.slice(0, 20).map((line) => `> ${line}`)
  assert.deepEqual(linesOf(lines.slice(0, 20).join('\n')), shown)
  assert.deepEqual(linesOf(lines.join('\n')), [...shown, '> …'])
})
