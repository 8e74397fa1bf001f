import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Site } from '../rpc/site.js'
import { checkMessage } from './check.js'
import type { MailContent } from './mailer.js'
import type { MailFrame } from './render.js'

/** The templates of a service. `name` must stand in quotation marks in each mail. */
export type MailTemplates = {
  /** Mails with this link and the time at which it expires. */
  withExpiringLink?(frame: MailFrame, name: string, link: string, expiresOn: Date): MailContent[]
  /** Mails with this link. */
  withLink?(frame: MailFrame, name: string, link: string): MailContent[]
  withoutLink?(frame: MailFrame, name: string): MailContent[]
}

/** What differs by language. */
const inLanguage = {
  en: {
    expiry: '31 January 2026 at 09:30 UTC',
    onSite: 'on',
    quotes: ['“', '”'],
    announcementOf: (name: string) => `Announcement of ${name}:`,
    signature: (name: string) => `Sent by ${name}. Nobody reads answers to this address.`,
  },
  de: {
    expiry: '31. Januar 2026 um 09:30 UTC',
    onSite: 'auf',
    quotes: ['„', '“'],
    announcementOf: (name: string) => `Mitteilung von ${name}:`,
    signature: (name: string) => `Gesendet von ${name}. Antworten an diese Adresse liest niemand.`,
  },
  fr: {
    expiry: '31 janvier 2026 à 09:30 UTC',
    onSite: 'sur',
    quotes: ['«\u00a0', '\u00a0»'],
    announcementOf: (name: string) => `Annonce de ${name}\u00a0:`,
    signature: (name: string) =>
      `Envoyé par ${name}. Personne ne lit les réponses à cette adresse.`,
  },
} as const
type Language = keyof typeof inLanguage

const url = 'https://figbase.example.org/do?token=a1&x=%3Cb%3E'
const figbase: Site = { name: 'Figbase', announcement: '' }
const expiresOn = new Date('2026-01-31T09:30:00Z')

/** What every mail template must do, in each language. */
export function mailTemplateContract(templates: MailTemplates): void {
  for (const language of ['en', 'de', 'fr'] as const) contractIn(language, templates)
}

function contractIn(language: Language, templates: MailTemplates): void {
  const { expiry, onSite, quotes, announcementOf, signature } = inLanguage[language]
  const expiring = (name: string, link = url, site = figbase): MailContent[] =>
    templates.withExpiringLink?.({ site, language }, name, link, expiresOn) ?? []
  const linked = (name: string, link = url, site = figbase): MailContent[] => [
    ...expiring(name, link, site),
    ...(templates.withLink?.({ site, language }, name, link) ?? []),
  ]
  const unlinked = (name: string, site = figbase): MailContent[] =>
    templates.withoutLink?.({ site, language }, name) ?? []
  const all = (name: string, site = figbase) => [
    ...linked(name, url, site),
    ...unlinked(name, site),
  ]

  test(`${language}: text and HTML have the same name, link and expiry`, () => {
    for (const { text, html } of expiring('Ada Lovelace')) {
      for (const part of [text, html]) assert.ok(part.includes(expiry), part)
    }
    for (const { text, html } of unlinked('Ada Lovelace')) {
      assert.doesNotMatch(`${text}${html}`, /https?:|href/)
      assert.match(text, /Ada Lovelace/)
      for (const sentence of textOf(html)) assert.ok(text.includes(sentence), sentence)
    }
    for (const { text, html } of linked('Ada Lovelace')) {
      for (const part of [text, html]) assert.match(part, /Ada Lovelace/)
      assert.ok(text.split('\n').includes(url), text)
      const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
      assert.deepEqual([...new Set(links)], [url.replaceAll('&', '&amp;')])
      for (const sentence of textOf(html)) assert.ok(text.includes(sentence), sentence)
    }
  })

  test(`${language}: names are escaped`, () => {
    const name = `<img src=x onerror=alert(1)> & "q" 'a' </p>`
    for (const { html, text } of all(name)) {
      assert.doesNotMatch(html, /<img|<\/p> ?[”“»]/)
      assert.match(html, /&lt;img src=x onerror=alert\(1\)&gt; &amp; &quot;q&quot; &#39;a&#39;/)
      assert.ok(text.includes(name))
    }
  })

  test(`${language}: names cannot start lines, add headers or change the text direction`, () => {
    const name = 'A\r\nBcc: eve@example.org\u2028\u2029B\u202e\u2066C\u200f\u0000\u0007\ufeffD'
    for (const mail of all(name)) {
      checkMessage({ ...mail, to: { address: 'ada@example.org' }, messageId: '<1@example.org>' })
      for (const part of [mail.subject, mail.text, mail.html]) {
        assert.doesNotMatch(part, /^Bcc|(?!\n)\p{Cc}|[\u2028\u2029]|\p{Cf}/mu)
      }
      assert.ok(mail.text.includes('A Bcc: eve@example.org BC D'), mail.text)
    }
  })

  test(`${language}: a long name is truncated between characters`, () => {
    for (const { text } of all('🙂'.repeat(1000))) {
      assert.ok(text.includes(`${quotes[0]}${'🙂'.repeat(99)}…${quotes[1]}`))
    }
  })

  test(`${language}: each mail names the site and shows its announcement before the signature`, () => {
    const announcement = 'Down on Friday,\n<b>from</b> 18:00'
    for (const { subject, text, html } of all('Ada', { name: 'Lab <9>', announcement })) {
      assert.ok(text.includes(` ${onSite} Lab <9>`), text)
      const end =
        `${announcementOf('Lab <9>')} Down on Friday, <b>from</b> 18:00\n\n` +
        `-- \n${signature('Lab <9>')}\n`
      assert.ok(text.endsWith(`\n\n${end}`), text)
      assert.ok(html.includes(` ${onSite} Lab &lt;9&gt;`))
      const shown = `${announcementOf('Lab &lt;9&gt;')} Down on Friday, &lt;b&gt;from&lt;/b&gt; 18:00`
      assert.ok(html.includes(`>${shown}</p>\n<hr`), html)
      assert.ok(html.includes(`>${signature('Lab &lt;9&gt;')}<`), html)
      assert.doesNotMatch(`${subject}${text}${html}`, /Figbase/)
    }
    for (const { text, html } of all('Ada')) {
      assert.ok(text.endsWith(`\n\n-- \n${signature('Figbase')}\n`), text)
      assert.ok(!`${text}${html}`.includes(announcementOf('Figbase')))
    }
  })

  test(`${language}: site name and announcement cannot start lines, add headers or change the text direction`, () => {
    const hostile = 'A\r\nBcc: eve@example.org\r\n\r\n-- \u2028B\u202e\u2066C\u0000\u0007D'
    for (const mail of all('Ada', { name: hostile, announcement: hostile })) {
      checkMessage({ ...mail, to: { address: 'ada@example.org' }, messageId: '<1@example.org>' })
      for (const part of [mail.subject, mail.text, mail.html]) {
        assert.doesNotMatch(part, /^Bcc|(?!\n)\p{Cc}|[\u2028\u2029]|\p{Cf}/mu)
      }
      assert.equal(mail.text.match(/^-- $/gm)?.length, 1)
      const line = 'A Bcc: eve@example.org -- BCD'
      assert.ok(mail.text.includes(`${announcementOf(line)} ${line}\n\n-- \n${signature(line)}`))
    }
  })

  test(`${language}: a long announcement is truncated at the limit of the setting`, () => {
    const longest = '🙂'.repeat(2000)
    for (const [announcement, shown] of [
      [longest, longest],
      [`${longest}x`, `${'🙂'.repeat(1999)}…`],
    ] as const) {
      for (const { text } of all('Ada', { name: 'Lab 9', announcement })) {
        assert.ok(text.includes(`\n\n${announcementOf('Lab 9')} ${shown}\n\n-- \n`))
      }
    }
  })

  test(`${language}: links must be http or https and cannot break out of their attribute`, () => {
    for (const link of ['javascript:alert(1)', 'data:text/html,x', 'no address', '/relative']) {
      if (linked('Ada').length > 0) assert.throws(() => linked('Ada', link), link)
    }
    for (const { html } of linked('Ada', `https://example.org/"><script>'x'`)) {
      assert.doesNotMatch(html, /<script|"x/)
    }
  })

  test(`${language}: the HTML loads nothing remote and supports light and dark themes`, () => {
    for (const { html } of all('Ada')) {
      assert.doesNotMatch(html, /<img|<link|<script|src=|url\(|@import/i)
      assert.ok(html.includes(`<html lang="${language}">`))
      assert.match(html, /color-scheme" content="light dark"/)
    }
  })
}

/** The paragraphs of the page, unescaped. */
const textOf = (html: string) =>
  [...html.matchAll(/<p [^>]*>([^<]*)<\/p>/g)].map(([, inner = '']) =>
    inner.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
  )
