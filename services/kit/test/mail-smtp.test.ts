import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { mailerContract, message } from '../src/mail/contract.js'
import { MailRefused } from '../src/mail/mailer.js'
import { certificate } from './mail-certificate.js'
import { mailerTo, refusal, startMailServer } from './mail-server.js'

mailerContract('SMTP', async (from) => {
  const server = await startMailServer()
  const mailer = mailerTo(server.url, { from })
  return {
    mailer,
    arrived: async () => server.messages,
    async [Symbol.asyncDispose]() {
      await mailer[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
})

const isForGood = (error: unknown) => error instanceof MailRefused
const isForNow = (error: unknown) => error instanceof Error && !(error instanceof MailRefused)

test('SMTP: reuses connections up to the limit', async () => {
  let most = 0
  await using server = await startMailServer({
    answer(accept) {
      most = Math.max(most, server.connections())
      accept()
    },
  })
  await using mailer = mailerTo(server.url, { connectionsMax: 2 })
  await Promise.all(Array.from({ length: 10 }, () => mailer.send(message)))
  assert.equal(server.messages.length, 10)
  assert.equal(most, 2)
})

test('SMTP: reconnects if the server closed an idle connection', async () => {
  await using server = await startMailServer()
  await using mailer = mailerTo(server.url)
  await mailer.send(message)
  server.dropAll()
  await mailer.send(message)
  assert.equal(server.messages.length, 2)
})

for (const [code, isKind] of [
  [450, isForNow],
  [550, isForGood],
] as const) {
  test(`SMTP: a recipient rejected with ${code} is rejected ${code < 500 ? 'temporarily' : 'permanently'}`, async () => {
    await using server = await startMailServer({
      onRcptTo: (_address, _session, callback) => callback(refusal(code, 'no such mailbox')),
    })
    await using mailer = mailerTo(server.url)
    await assert.rejects(mailer.send(message), isKind)
    await assert.rejects(
      mailer.send(message),
      new RegExp(`127.0.0.1:${server.port} .*${code}.*no such`),
    )
    assert.deepEqual(server.messages, [])
  })
}

test('SMTP: content rejected with 554 is rejected permanently, with 451 temporarily', async () => {
  const codes = [554, 451]
  await using server = await startMailServer({
    answer: (_, refuse) => refuse(codes.shift() ?? 0, 'looks like spam'),
  })
  await using mailer = mailerTo(server.url)
  await assert.rejects(mailer.send(message), isForGood)
  await assert.rejects(mailer.send(message), isForNow)
})

test('SMTP: retries a rejected sender, which an operator can fix', async () => {
  await using server = await startMailServer({
    onMailFrom: (_address, _session, callback) => callback(refusal(553, 'not your address')),
  })
  await using mailer = mailerTo(server.url)
  await assert.rejects(mailer.send(message), isForNow)
})

test('SMTP: fails without a retry if the connection is lost before the response to the message', async () => {
  await using server = await startMailServer({ answer: () => server.dropAll() })
  await using mailer = mailerTo(server.url)
  await assert.rejects(mailer.send(message), isForNow)
  assert.equal(server.messages.length, 1)
})

test('SMTP: times out without a greeting or a response', async () => {
  await using silent = await listen()
  await using mailer = mailerTo(`smtp://127.0.0.1:${silent.port}?tls=none`, {
    connectTimeoutMs: 50,
  })
  await assert.rejects(mailer.send(message), isForNow)
  await using server = await startMailServer({ answer: () => {} })
  await using second = mailerTo(server.url, { answerTimeoutMs: 1000 })
  await assert.rejects(second.send(message), isForNow)
  assert.equal(server.messages.length, 1)
})

test('SMTP: names an unavailable server', async () => {
  const { port, ...gone } = await listen()
  await gone[Symbol.asyncDispose]()
  await using mailer = mailerTo(`smtp://127.0.0.1:${port}?tls=none`)
  await assert.rejects(mailer.send(message), new RegExp(`127.0.0.1:${port} failed: .*ECONNREFUSED`))
})

test('SMTP: aborts an attempt with its signal', async () => {
  const aborting = new AbortController()
  await using server = await startMailServer({ answer: () => aborting.abort() })
  await using mailer = mailerTo(server.url)
  await assert.rejects(mailer.send(message, aborting.signal), isForNow)
})

test('SMTP: signs in, and never shows a rejected password', async () => {
  const secret = 'p@ss/wörd'
  await using server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      if (username === 'fig' && password === secret) callback(null, { user: username })
      else callback(refusal(535, `${username}, ${password} is wrong`))
    },
  })
  const urlWith = (password: string) =>
    `smtp://fig:${encodeURIComponent(password)}@127.0.0.1:${server.port}?tls=none`
  await using right = mailerTo(urlWith(secret))
  await right.send(message)
  await using wrong = mailerTo(urlWith('other-secret'))
  const failure: Error = await wrong.send(message).then(
    () => assert.fail(),
    (error) => error,
  )
  assert.ok(isForNow(failure))
  assert.match(failure.message, /rejected the user and password of SMTP_URL/)
  assert.doesNotMatch(
    JSON.stringify(failure) + failure.stack + String(failure.cause),
    /other-secret/,
  )
  assert.equal(server.messages.length, 1)
})

test('SMTP: sends neither password nor mail to a server without STARTTLS, unless ?tls=none', async () => {
  let wasAsked = false
  await using server = await startMailServer({
    allowInsecureAuth: true,
    onAuth(_auth, _session, callback) {
      wasAsked = true
      callback(null, { user: 'fig' })
    },
  })
  await using mailer = mailerTo(`smtp://fig:secret@127.0.0.1:${server.port}`)
  await assert.rejects(mailer.send(message), isForNow)
  assert.equal(wasAsked, false)
  assert.deepEqual(server.messages, [])
})

for (const [what, scheme, options] of [
  ['STARTTLS', 'smtp', { disabledCommands: [] }],
  ['TLS from the start', 'smtps', { secure: true }],
] as const) {
  test(`SMTP: ${what}, only with a trusted certificate`, async () => {
    await using server = await startMailServer({
      ...certificate,
      ...options,
      disabledCommands: [],
    })
    const url = `${scheme}://localhost:${server.port}`
    await using mailer = mailerTo(url.replace('localhost', '127.0.0.1'))
    await assert.rejects(mailer.send(message), isForNow)
    assert.deepEqual(server.messages, [])
    await sendFromProcess(url.replace('localhost', '127.0.0.1'))
    assert.equal(server.messages.length, 1)
  })
}

/** In another process, because NODE_EXTRA_CA_CERTS is read at startup. */
async function sendFromProcess(url: string) {
  const folder = await mkdtemp(join(tmpdir(), 'figbase-ca-'))
  try {
    const ca = join(folder, 'ca.pem')
    await writeFile(ca, certificate.cert)
    const sender = fileURLToPath(new URL('./mail-sender.js', import.meta.url))
    const env = { ...process.env, SMTP_URL: url, NODE_EXTRA_CA_CERTS: ca }
    await promisify(execFile)(process.execPath, [sender], { env, timeout: 60_000 })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A server that accepts connections and sends nothing. */
async function listen() {
  const server = createServer()
  const sockets: { destroy(): unknown }[] = []
  server.on('connection', (socket) => sockets.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
