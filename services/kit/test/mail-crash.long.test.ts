import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { simpleParser } from 'mailparser'
import { sendMailFrom } from '../src/mail/send-mail.js'
import { createTestDatabase } from '../src/testing/index.js'
import { startMailServer } from './mail-server.js'
import { isEmpty, openQueue, type Queue, until } from './queue.js'

const crashes = 24
const mailsEach = 5
const mails = crashes * mailsEach
// Lease of the process that is killed.
const places = 2
const afterMsMax = 15

const program = fileURLToPath(new URL('mail-worker.js', import.meta.url))
const from = { address: 'figbase@mail.example.org' }

test('sends a mail twice with one Message-ID if the process dies between the response and the end of the job', async () => {
  await using database = await createTestDatabase()
  await using queue = openQueue(database.url)
  await queue.migrate()
  await using server = await startMailServer()
  await enqueueMails(queue, 1, 0)
  const first = startWorker(database.url, server.url, 'mail.send-mail.after')
  await ended(first)
  assert.equal(server.messages.length, 1)
  const second = startWorker(database.url, server.url)
  try {
    await until(() => isEmpty(queue))
  } finally {
    await kill(second)
  }
  const [ids] = await idsBySubject(server.messages)
  assert.equal(ids?.length, 2)
  assert.equal(new Set(ids).size, 1)
})

test(`delivers each mail across ${crashes} crashes, with one Message-ID for all copies`, async (t) => {
  await using database = await createTestDatabase()
  await using queue = openQueue(database.url)
  await queue.migrate()
  let read = () => {}
  await using server = await startMailServer({
    answer(accept) {
      accept()
      read()
    },
  })
  for (let crash = 0; crash < crashes; crash++) {
    await enqueueMails(queue, mailsEach, crash * mailsEach)
    // Alternately: after a response before the job has ended, and at random around a response.
    if (crash % 2 === 0) {
      await ended(startWorker(database.url, server.url, `mail.send-mail.after:${1 + (crash % 3)}`))
      continue
    }
    const aMailIsRead = new Promise<void>((resolve) => {
      read = resolve
    })
    const worker = startWorker(database.url, server.url)
    await aMailIsRead
    await sleep(Math.random() * afterMsMax)
    await kill(worker)
  }
  const last = startWorker(database.url, server.url)
  try {
    await until(() => isEmpty(queue))
  } finally {
    await kill(last)
  }
  const all = await idsBySubject(server.messages)
  assert.equal(all.length, mails, 'mail lost')
  for (const ids of all) assert.equal(new Set(ids).size, 1)
  const copies = server.messages.length - mails
  t.diagnostic(`${crashes} crashes: ${mails} mails, ${copies} sent again`)
  assert.ok(copies >= crashes / 2, 'no process was killed after a response')
  assert.ok(copies <= crashes * places)
})

async function enqueueMails({ transact, enqueueIn }: Queue, count: number, after: number) {
  const sendMail = sendMailFrom(from, enqueueIn, true)
  await transact(async (tx) => {
    for (let n = 1; n <= count; n++) {
      const content = { subject: `mail ${after + n}`, text: 'hello', html: '<p>hello</p>' }
      await sendMail(tx, { ...content, to: { address: 'ada@example.org' } })
    }
  })
}

/** Message-IDs of all copies of each mail. */
async function idsBySubject(messages: string[]): Promise<string[][]> {
  const found = new Map<string, string[]>()
  for (const raw of messages) {
    const { subject = '', messageId = '' } = await simpleParser(raw)
    found.set(subject, [...(found.get(subject) ?? []), messageId])
  }
  return [...found.values()]
}

const startWorker = (databaseUrl: string, smtpUrl: string, failAt = '') =>
  fork(program, {
    env: { ...process.env, DATABASE_URL: databaseUrl, SMTP_URL: smtpUrl, FAIL_AT: failAt },
  })

async function kill(child: ChildProcess) {
  child.kill('SIGKILL')
  await ended(child)
}

async function ended(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
