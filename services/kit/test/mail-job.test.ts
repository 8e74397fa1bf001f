import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RevisionsService } from '@figbase/proto/revisions'
import { simpleParser } from 'mailparser'
import { pino } from 'pino'
import {
  actAsSystem,
  defineService,
  InvalidMail,
  type Kit,
  type Mailer,
  passwordResetMail,
  sendMailJob,
} from '../src/index.js'
import { startJobs } from '../src/jobs/run-jobs.js'
import { createLogger } from '../src/log.js'
import { sendMailFrom } from '../src/mail/send-mail.js'
import { startTestService } from '../src/testing/index.js'
import { mailerTo, refusal, startMailServer } from './mail-server.js'
import { createQueue, createRecord, isEmpty, type Queue, until } from './queue.js'

const from = { address: 'figbase@mail.example.org', name: 'Figbase' }
const to = { address: 'ada@example.org' }
const token = 'T0kenOfTheLink'
const content = passwordResetMail(
  { name: 'Figbase', announcement: '' },
  {
    username: 'ada',
    url: `https://figbase.example.org/reset/${token}`,
    expiresOn: new Date('2026-01-31T09:30:00Z'),
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

test('a mail is sent when its transaction is committed, and not when it is rolled back', async () => {
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
  const [raw = ''] = await arrived.reach(1)
  const mail = await simpleParser(raw)
  assert.equal(mail.subject, 'second')
  assert.deepEqual(mail.from?.value, [from])
  assert.match(mail.messageId ?? '', messageIdPattern)
})

test('a mail that could not be sent is refused where it is wanted, and so is one nobody would send', async () => {
  await using queue = await createQueue()
  const send = (isListed: boolean, address: string) =>
    queue.transact((tx) =>
      sendMailFrom(from, queue.enqueueIn, isListed)(tx, { ...content, to: { address } }),
    )
  await assert.rejects(send(true, 'nobody'), InvalidMail)
  await assert.rejects(send(false, to.address), /sendMailJob among its jobs/)
  assert.ok(await isEmpty(queue))
})

test('a mail refused for now is tried again, with the same Message-ID', async () => {
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

test('a mail whose answer was lost goes a second time, with the same Message-ID', async () => {
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

test('a mail refused for good is dead at once', async () => {
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

test('a process that stops waits for the answer, so that the mail does not go twice', async () => {
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
  const [accept = assert.fail] = await reached.reach(1)
  const stopped = runner[Symbol.asyncDispose]()
  await stopping.reach(1)
  setTimeout(accept, 200)
  await stopped
  assert.ok(await isEmpty(queue))
  assert.equal(server.messages.length, 1)
})

test('a process that stops leaves a server that does not answer, and the mail waits on', async () => {
  const reached = createRecord<() => void>()
  await using server = await startMailServer({ answer: (accept) => reached.add(accept) })
  await using queue = await createQueue()
  await enqueueMail(queue)
  await using mailer = mailerTo(server.url, { answerTimeoutMs: 60_000 })
  const runner = await work(queue, mailer)
  await reached.reach(1)
  await runner[Symbol.asyncDispose]()
  assert.deepEqual(await queue.query('select state, attempts, error from job'), [
    { state: 'waiting', attempts: 0, error: null },
  ])
  await until(async () => server.connections() === 0)
})

test('neither logs nor errors of failures show what a mail says, or its links', async () => {
  const lines: string[] = []
  const told = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
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
  await using mailer = mailerTo(server.url, { log: told })
  await using _runner = await work(queue, mailer, told)
  await until(() => isEmpty(queue))
  await enqueueMail(queue)
  const errors = () =>
    queue.query<{ error: string }>('select error from job where error is not null')
  await until(async () => (await errors()).length > 0)
  assert.match(lines.join(''), /a job failed[\s\S]*a mail was sent[\s\S]*a job failed/)
  assert.doesNotMatch(lines.join('') + JSON.stringify(await errors()), new RegExp(token))
})
