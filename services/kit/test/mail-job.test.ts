import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RevisionsService } from '@figbase/proto/revisions'
import { simpleParser } from 'mailparser'
import { pino } from 'pino'
import { startJobs } from '../src/jobs/run-jobs.js'
import { createLogger } from '../src/log.js'
import { InvalidMail, type Mailer, renderMail, sendMailJob } from '../src/mail/index.js'
import { sendMailFrom } from '../src/mail/send-mail.js'
import { actAsSystem } from '../src/rpc/index.js'
import { defineService, type Kit } from '../src/service/index.js'
import { startTestService } from '../src/testing/index.js'
import { mailerTo, refusal, startMailServer } from './mail-server.js'
import { createQueue, createRecord, isEmpty, type Queue, until } from './queue.js'

const from = { address: 'figbase@mail.example.org', name: 'Figbase' }
const to = { address: 'ada@example.org' }
const token = 'T0kenOfTheLink'
const content = renderMail(
  { site: { name: 'Figbase', announcement: '' }, language: '' },
  {
    subject: 'Choose a new password',
    paragraphs: ['Somebody asked for a new password.'],
    action: { label: 'Choose', url: `https://figbase.example.org/reset/${token}` },
    notes: [],
  },
)

const log = createLogger('test', 'silent')
const work = (queue: Queue, mailer: Mailer, to = log, job = sendMailJob) =>
  startJobs({
    db: queue.db,
    ctx: { mailer },
    jobs: [job],
    concurrency: 2,
    leaseMs: 5000,
    deadRetentionMs: 60_000,
    log: to,
  })

const enqueueMail = (queue: Queue) =>
  queue.transact((tx) => sendMailFrom(from, queue.enqueueIn, true)(tx, { ...content, to }))

const messageIdsOf = async (messages: string[]) =>
  Promise.all(messages.map(async (raw) => (await simpleParser(raw)).messageId))

const messageIdPattern = /^<[0-9a-f-]{36}@mail\.example\.org>$/

test('sends a mail after a commit and never after a rollback', async () => {
  const service = defineService<object, unknown, Kit<unknown>>({
    name: 'revisions',
    config: () => ({}),
    migrations: [],
    context: (kit) => kit,
    routes: (ctx) => (router) =>
      router.service(RevisionsService, {
        findExisting: async ({ ids: [subject = '', then] }) => {
          await ctx.transact(async (tx) => {
            await ctx.sendMail(tx, { ...content, subject, to })
            if (then === 'fail') throw new Error('rolled back')
          })
          return {}
        },
      }),
    jobs: [sendMailJob],
  })
  const arrived = createRecord<string>()
  await using server = await startMailServer({
    answer(accept) {
      arrived.add(server.messages.at(-1) ?? '')
      accept()
    },
  })
  const env = { SMTP_URL: server.url, MAIL_FROM: 'Figbase <figbase@mail.example.org>' }
  await using at = await startTestService(service, { transport: 'local', env })
  const client = at.client(RevisionsService)
  await assert.rejects(client.findExisting({ ids: ['first', 'fail'] }, actAsSystem()))
  await client.findExisting({ ids: ['second'] }, actAsSystem())
  const [raw = ''] = await arrived.waitForCount(1)
  const mail = await simpleParser(raw)
  assert.equal(mail.subject, 'second')
  assert.deepEqual(mail.from?.value, [from])
  assert.match(mail.messageId ?? '', messageIdPattern)
})

test('rejects an invalid mail when it is enqueued, and mail of a service without the job', async () => {
  await using queue = await createQueue()
  const send = (isListed: boolean, address: string) =>
    queue.transact((tx) =>
      sendMailFrom(from, queue.enqueueIn, isListed)(tx, { ...content, to: { address } }),
    )
  await assert.rejects(send(true, 'nobody'), InvalidMail)
  await assert.rejects(send(false, to.address), /sendMailJob among the jobs/)
  assert.ok(await isEmpty(queue))
})

test('retries a temporarily rejected mail with the same Message-ID', async () => {
  let attempts = 0
  await using server = await startMailServer({
    answer(accept, refuse) {
      if (++attempts === 1) refuse(451, 'try later')
      else accept()
    },
  })
  await using queue = await createQueue()
  await enqueueMail(queue)
  await using mailer = mailerTo(server.url)
  await using _runner = await work(queue, mailer)
  await until(() => isEmpty(queue))
  const [first, second, ...more] = await messageIdsOf(server.messages)
  assert.match(first ?? '', messageIdPattern)
  assert.equal(second, first)
  assert.deepEqual(more, [])
})

test('sends a mail again with the same Message-ID if the response was lost', async () => {
  let attempts = 0
  await using server = await startMailServer({
    answer(accept) {
      if (++attempts === 1) server.dropAll()
      else accept()
    },
  })
  await using queue = await createQueue()
  await enqueueMail(queue)
  await using mailer = mailerTo(server.url)
  await using _runner = await work(queue, mailer)
  await until(() => isEmpty(queue))
  const [first, ...others] = await messageIdsOf(server.messages)
  assert.match(first ?? '', messageIdPattern)
  assert.deepEqual(others, [first])
})

test('a permanently rejected mail is dead at once', async () => {
  let attempts = 0
  await using server = await startMailServer({
    onRcptTo(_address, _session, callback) {
      attempts++
      callback(refusal(550, 'no such mailbox'))
    },
  })
  await using queue = await createQueue()
  await enqueueMail(queue)
  await using mailer = mailerTo(server.url)
  await using _runner = await work(queue, mailer)
  const ended = () =>
    queue.query<{ state: string; attempts: number; error: string; ended_on: string | null }>(
      `select state, attempts, error, ended_on from job where error is not null`,
    )
  await until(async () => (await ended()).length > 0)
  const [job] = await ended()
  assert.equal(job?.state, 'dead')
  assert.equal(job?.attempts, 1)
  assert.match(job?.error ?? '', /550.*no such mailbox/)
  assert.ok(job?.ended_on)
  assert.equal(attempts, 1)
})

test('shutdown waits for the response, so that the mail is not sent twice', async () => {
  const reached = createRecord<() => void>()
  await using server = await startMailServer({ answer: (accept) => reached.add(accept) })
  await using queue = await createQueue()
  await enqueueMail(queue)
  await using mailer = mailerTo(server.url)
  const stopping = createRecord<true>()
  const job: typeof sendMailJob = {
    ...sendMailJob,
    run(ctx, payload, signal) {
      signal.addEventListener('abort', () => stopping.add(true))
      return sendMailJob.run(ctx, payload, signal, 1)
    },
  }
  const runner = await work(queue, mailer, log, job)
  const [accept = assert.fail] = await reached.waitForCount(1)
  const stopped = runner[Symbol.asyncDispose]()
  await stopping.waitForCount(1)
  setTimeout(accept, 200)
  await stopped
  assert.ok(await isEmpty(queue))
  assert.equal(server.messages.length, 1)
})

test('shutdown does not wait for an unresponsive server, and the mail stays queued', async () => {
  const reached = createRecord<() => void>()
  await using server = await startMailServer({ answer: (accept) => reached.add(accept) })
  await using queue = await createQueue()
  await enqueueMail(queue)
  await using mailer = mailerTo(server.url, { answerTimeoutMs: 60_000 })
  const runner = await work(queue, mailer)
  await reached.waitForCount(1)
  await runner[Symbol.asyncDispose]()
  assert.deepEqual(await queue.query('select state, attempts, error from job'), [
    { state: 'waiting', attempts: 0, error: null },
  ])
  await until(async () => server.connections() === 0)
})

test('logs and errors do not contain the content of a mail', async () => {
  const lines: string[] = []
  const reported = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
  const answers = [451, 0, 554]
  await using server = await startMailServer({
    answer(accept, refuse) {
      const code = answers.shift()
      if (code) refuse(code, 'not now')
      else accept()
    },
  })
  await using queue = await createQueue()
  await enqueueMail(queue)
  await using mailer = mailerTo(server.url, { log: reported })
  await using _runner = await work(queue, mailer, reported)
  await until(() => isEmpty(queue))
  await enqueueMail(queue)
  const errors = () =>
    queue.query<{ error: string }>('select error from job where error is not null')
  await until(async () => (await errors()).length > 0)
  assert.match(lines.join(''), /job failed[\s\S]*mail sent[\s\S]*job failed/)
  assert.doesNotMatch(lines.join('') + JSON.stringify(await errors()), new RegExp(token))
})
