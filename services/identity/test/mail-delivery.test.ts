import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { ann, as, asAnonymous, start } from './support/started.js'

/** An SMTP server on a free port. */
async function startMailServer() {
  const mails: { recipients: string[]; mail: ParsedMail }[] = []
  const arrived = new EventEmitter()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, session, callback) {
      const mail = await simpleParser(stream)
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      callback()
      mails.push({ recipients, mail })
      arrived.emit('mail')
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}?tls=none`,
    /** Waits for the first mail with this subject. */
    async about(subject: string) {
      for (;;) {
        const found = mails.find(({ mail }) => mail.subject === subject)
        if (found) return found
        await once(arrived, 'mail')
      }
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

test('mails sent by SMTP have links that verify an address and reset a password', async () => {
  await using server = await startMailServer()
  await using at = await start('http2', {
    SMTP_URL: server.url,
    MAIL_FROM: 'Figbase <figbase@example.org>',
    PUBLIC_URL: 'https://figures.example.org/',
  })
  await at.client.createUser({ ...ann, firstName: 'Zoë' }, asAnonymous())
  const first = await server.about('Confirm your e-mail address')
  assert.deepEqual(first.recipients, [ann.email])
  assert.equal(first.mail.from?.value[0]?.address, 'figbase@example.org')
  const verification = linkIn(first.mail, 'verify-email')
  await at.accounts.verifyEmail({ token: verification, username: 'ann' }, asAnonymous())

  await at.accounts.requestPasswordReset({ email: ann.email }, asAnonymous())
  const second = await server.about('Choose a new password')
  const token = linkIn(second.mail, 'password-reset')
  const password = 'a newer horse'
  await at.accounts.resetPassword({ token, password }, asAnonymous())
  await at.client.issueToken({ username: 'ann', password }, asAnonymous())
  const third = await server.about('Your password was changed')
  assert.match(third.mail.text ?? '', /https:\/\/figures\.example\.org\/password-reset$/m)

  await at.accounts.updateUser({ username: 'ann', email: 'ann@example.net' }, as('ann'))
  const notice = await server.about('Your e-mail address was changed')
  assert.deepEqual(notice.recipients, [ann.email])
})

/** The token of the link in both text and HTML. */
function linkIn({ text = '', html }: ParsedMail, page: string): string {
  const link = new RegExp(`https://figures\\.example\\.org/${page}/([\\w-]{43})`)
  const token = link.exec(text)?.[1] ?? ''
  assert.equal(link.exec(String(html))?.[1], token)
  assert.equal(token.length, 43)
  return token
}
