import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { readSettings } from '../src/config/config.js'
import { warnUnreachableMailServer } from '../src/mail/check-server.js'
import { readMailSettings } from '../src/mail/settings.js'
import { startSilentServer } from '../src/testing/index.js'
import { startMailServer } from './mail-server.js'

/** The startup logs about the mail server at this URL. */
async function warningsOf(url: string): Promise<string[]> {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const settings = readSettings({ SMTP_URL: url, MAIL_FROM: 'a@example.org' }, readMailSettings)
  await warnUnreachableMailServer(settings, 1000, log)
  return lines
}

test('startup warns of an unavailable mail server by its setting, without the password', async () => {
  await using silentServer = await startSilentServer()
  await using server = await startMailServer({
    authOptional: false,
    onAuth: ({ password }, _, callback) =>
      callback(password === 'right' ? null : new Error(`no: ${password}`), { user: 'ann' }),
  })
  const at = (password: string) => server.url.replace('//', `//ann:${password}@`)
  assert.deepEqual(await warningsOf(at('right')), [])
  assert.deepEqual(server.messages, [])
  const wrong: [string, RegExp][] = [
    [at('hidden'), /rejected the user and password of SMTP_URL/],
    ['smtp://ann:hidden@127.0.0.1:1?tls=none', /ECONNREFUSED/],
    [`smtp://${silentServer.host}?tls=none`, /127\.0\.0\.1:\d+ failed: .*imeout|Greeting never/],
  ]
  for (const [url, reason] of wrong) {
    const [line = '', ...more] = await warningsOf(url)
    assert.deepEqual(more, [])
    assert.match(line, /SMTP_URL: mail server unavailable; mail stays queued/)
    assert.match(line, reason)
    assert.doesNotMatch(line, /hidden/)
  }
})
