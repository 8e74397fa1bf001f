import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ParsedMail, simpleParser } from 'mailparser'
import { InvalidMail, type Mailbox, type Mailer, type Message } from './mailer.js'

export type TestMailer = AsyncDisposable & {
  mailer: Mailer
  /** The raw messages received so far, oldest first. */
  arrived(): Promise<string[]>
}

/** What every mailer must do; `open` returns one that sends as `from`. */
export function mailerContract(name: string, open: (from: Mailbox) => Promise<TestMailer>): void {
  const from = { address: 'figbase@example.org', name: 'Figbase, größer' }

  test(`${name}: sends text and HTML unchanged in one message`, async () => {
    await using at = await open(from)
    const text = 'Grüße, µ 漢字 🙂\n.\n..two dots\n.one dot\nlast\n'
    const html = `<p>Grüße &amp; µ 漢字 🙂</p>\n.\n<p>${'long '.repeat(3000)}</p>\n`
    await at.mailer.send({ ...message, subject: 'Grüße aus 漢字 🙂', text, html })
    const mail = await onlyMail(at)
    assert.equal(mail.subject, 'Grüße aus 漢字 🙂')
    assert.equal(mail.text, text)
    assert.equal(mail.html, html)
    assert.match(String(mail.headers.get('content-type')), /./)
    assert.equal(mail.attachments.length, 0)
  })

  test(`${name}: sets sender, recipient, date and Auto-Submitted`, async () => {
    await using at = await open(from)
    const to = { address: 'ada@example.org', name: 'Ada "the first", Gräfin' }
    const replyTo = { address: 'bob@example.org' }
    const before = Math.floor(Date.now() / 1000) * 1000
    await at.mailer.send({ ...message, to, replyTo, messageId: '<0f-1.a_b+c@mail.example.org>' })
    const mail = await onlyMail(at)
    assert.deepEqual(mailboxes(mail.from), [from])
    assert.deepEqual(mailboxes(mail.to), [to])
    assert.deepEqual(mailboxes(mail.replyTo), [{ ...replyTo, name: '' }])
    assert.equal(mail.messageId, '<0f-1.a_b+c@mail.example.org>')
    assert.equal(mail.headers.get('auto-submitted'), 'auto-generated')
    assert.equal(mail.headers.get('mime-version'), '1.0')
    const date = mail.date?.getTime() ?? 0
    assert.ok(date >= before && date <= Date.now(), String(mail.date))
  })

  test(`${name}: keeps lines within the limit, with CRLF`, async () => {
    await using at = await open(from)
    const long = 'x'.repeat(5000)
    const html = `<p>${long}</p>`
    await at.mailer.send({ ...message, subject: 'wörd '.repeat(150), text: long, html })
    const [raw = ''] = await at.arrived()
    assert.doesNotMatch(raw, /(^|[^\r])\n/)
    for (const line of raw.split('\r\n')) assert.ok(line.length <= 998, `${line.length} characters`)
    const mail = await simpleParser(raw)
    assert.equal(mail.text?.trim(), long)
    assert.equal(String(mail.html).trim(), html)
  })

  test(`${name}: accepts addresses in any script`, async () => {
    await using at = await open(from)
    await at.mailer.send({ ...message, to: { address: 'jürgen@exämple.org', name: 'Jürgen' } })
    const { to } = await onlyMail(at)
    const [{ address, name: shown } = {}] = mailboxes(to)
    assert.ok(['jürgen@exämple.org', 'jürgen@xn--exmple-cua.org'].includes(address ?? ''), address)
    assert.equal(shown, 'Jürgen')
  })

  const attack = 'x\r\nBcc: eve@example.org'
  const refused: [string, Partial<Message>][] = [
    ['subject', { subject: attack }],
    ['subject', { subject: 'x\ny' }],
    ['subject', { subject: 'x\u0000y' }],
    ['subject', { subject: 'x'.repeat(1001) }],
    ['to.name', { to: { address: 'ada@example.org', name: attack } }],
    ['to.address', { to: { address: `ada@example.org${attack}` } }],
    ['replyTo.name', { replyTo: { address: 'ada@example.org', name: attack } }],
    ['replyTo.address', { replyTo: { address: `${attack}@example.org` } }],
    ['messageId', { messageId: `<a@example.org>\r\nBcc: eve@example.org` }],
    ['messageId', { messageId: '<a b@example.org>' }],
    ...notAddresses.map((address): [string, Partial<Message>] => [
      'to.address',
      { to: { address } },
    ]),
  ]

  test(`${name}: rejects invalid addresses and header injection, naming the field`, async () => {
    await using at = await open(from)
    for (const [field, part] of refused) {
      const isNamed = (error: unknown) => error instanceof InvalidMail && error.field === field
      await assert.rejects(at.mailer.send({ ...message, ...part }), isNamed, JSON.stringify(part))
    }
    assert.deepEqual(await at.arrived(), [])
  })

  test(`${name}: sends line breaks and dots of a body as text`, async () => {
    await using at = await open(from)
    const text = 'Hello\r\n.\r\nMAIL FROM:<eve@example.org>\r\nBcc: eve@example.org\r\n\r\nend\r\n'
    await at.mailer.send({ ...message, text })
    const mail = await onlyMail(at)
    assert.equal(mail.text, text.replaceAll('\r\n', '\n'))
    assert.equal(mail.bcc, undefined)
  })

  test(`${name}: sends concurrent messages once each`, async () => {
    await using at = await open(from)
    const ids = Array.from({ length: 20 }, (_, n) => `<${n}@example.org>`)
    await Promise.all(ids.map((messageId) => at.mailer.send({ ...message, messageId })))
    const mails = await Promise.all((await at.arrived()).map((raw) => simpleParser(raw)))
    assert.deepEqual(mails.map((mail) => mail.messageId).sort(), ids.sort())
  })
}

export const message: Message = {
  to: { address: 'ada@example.org' },
  subject: 'Hello',
  text: 'Hello\n',
  html: '<p>Hello</p>\n',
  messageId: '<1@example.org>',
}

const notAddresses = [
  '',
  'ada',
  '@example.org',
  'ada@',
  'ada@example..org',
  'ada@-example.org',
  'ada@example.org.',
  'a da@example.org',
  'ada@exa mple.org',
  'ada@example.org, eve@example.org',
  'ada@example.org;eve@example.org',
  'ada@eve@example.org',
  'Ada <ada@example.org>',
  '<ada@example.org>',
  '"ada"@example.org',
  'ada(comment)@example.org',
  `${'a'.repeat(65)}@example.org`,
  `ada@${'a.'.repeat(130)}org`,
]

async function onlyMail(at: TestMailer): Promise<ParsedMail> {
  const raws = await at.arrived()
  assert.equal(raws.length, 1)
  return simpleParser(raws[0] ?? '')
}

const mailboxes = (field: ParsedMail['from'] | ParsedMail['to']) =>
  [field ?? []].flat().flatMap(({ value }) => value.map(({ address, name }) => ({ address, name })))
