import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagesContract } from '@figbase/kit/testing'
import { webhookDeactivatedMail } from './webhook-deactivated.js'

messagesContract({
  messages: new URL('../../../messages/', import.meta.url),
  sources: new URL('../../../src/', import.meta.url),
})

test('names the receiver in the language of the reader', () => {
  const site = { name: 'Lab <9>', announcement: '' }
  for (const [language, subject] of [
    ['', 'The webhook to a.example was deactivated'],
    ['de-CH', 'Der Webhook zu a.example wurde deaktiviert'],
    ['fr', 'Le webhook vers a.example a été désactivé'],
  ] as const) {
    const mail = webhookDeactivatedMail(
      { site, language },
      { receiver: 'a.example', place: 'workspace', reason: 'gone', url: 'https://b.example/' },
    )
    assert.equal(mail.subject, subject)
    assert.match(mail.text, /^Lab <9> .*410/s)
    assert.match(mail.html, /Lab &lt;9&gt;/)
  }
})
