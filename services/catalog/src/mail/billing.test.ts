import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MailFrame } from '@figbase/kit/mail'
import { mailTemplateContract } from '@figbase/kit/testing'
import { creditNoteMail, invoiceMail } from './billing.js'

const url = 'https://figbase.example.org/organization/1/billing/2/'
const issued = {
  holder: 'organization',
  holderName: 'Institute',
  number: 'INV-000007',
  totalMinor: 123_456n,
  currency: 'EUR',
  url,
} as const
const invoice = {
  ...issued,
  period: '2026-01',
  dueOn: new Date('2026-02-15T00:15:00Z'),
  isCharged: false,
}
const creditNote = {
  ...issued,
  number: 'CN-000003',
  invoiceNumber: 'INV-000007',
  reason: 'An outage',
  isRefunded: false,
}

const mailsOf = (frame: MailFrame, holderName: string, url: string | undefined) => [
  invoiceMail(frame, { ...invoice, holderName, url }),
  invoiceMail(frame, { ...invoice, holderName, url, holder: 'workspace', isCharged: true }),
  creditNoteMail(frame, { ...creditNote, holderName, url }),
  creditNoteMail(frame, { ...creditNote, holderName, url, isRefunded: true }),
]

mailTemplateContract({
  withLink: mailsOf,
  withoutLink: (frame, name) => mailsOf(frame, name, undefined),
})

const site = { name: 'Lab 9', announcement: '' }

test('an invoice has its number, month, total and due date in the form of each language', () => {
  for (const [language, subject, ...parts] of [
    ['', 'Invoice INV-000007 for “Institute”', 'January 2026', '€1,234.56', 'on 15 February 2026'],
    ['de', 'Rechnung INV-000007 für „Institute“', 'Januar 2026', '1.234,56 €', '15. Februar 2026'],
    [
      'fr',
      'Facture INV-000007 pour « Institute »',
      'janvier 2026',
      '1 234,56 €',
      '15 février 2026',
    ],
  ] as const) {
    const mail = invoiceMail({ site, language }, invoice)
    assert.equal(mail.subject.replaceAll(/\s/g, ' '), subject)
    for (const part of ['INV-000007', ...parts]) assert.ok(mail.text.includes(part), mail.text)
  }
})

test('an invoice says how it is paid, and a credit note whether it is refunded', () => {
  const frame = { site, language: 'en' }
  const agreed = invoiceMail(frame, invoice).text
  assert.match(agreed, /Please pay it as agreed with the operator of Lab 9\./)
  const charged = invoiceMail(frame, { ...invoice, isCharged: true }).text
  assert.match(charged, /the total is charged to your payment method\./)
  assert.doesNotMatch(charged, /Please pay|due on/)
  assert.match(creditNoteMail(frame, creditNote).text, /returned as agreed with the operator/)
  const refunded = creditNoteMail(frame, { ...creditNote, isRefunded: true }).text
  assert.match(refunded, /the amount is refunded\./)
  assert.match(refunded, /It takes €1,234\.56 back from invoice INV-000007\./)
})

test('the reason of a credit note is quoted, and cannot add markup or lines', () => {
  const reason = '<b>An outage</b>\u202e\r\n.\r\nBcc: eve@example.org'
  const { text, html } = creditNoteMail({ site, language: 'en' }, { ...creditNote, reason })
  assert.ok(text.includes('\n> <b>An outage</b>\n> .\n> Bcc: eve@example.org\n'), text)
  assert.match(html, /&lt;b&gt;An outage&lt;\/b&gt;/)
  assert.doesNotMatch(`${text}${html}`, /<b>.*<p|\u202e|^Bcc/m)
})
