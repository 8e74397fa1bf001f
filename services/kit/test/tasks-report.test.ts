import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { ReportTaskResponseSchema } from '@figbase/proto/tasks'
import { createLogger } from '../src/log.js'
import { createReporter, type Report } from '../src/tasks/report.js'
import { createRecord } from './queue.js'

const log = createLogger('test', 'silent')

/** A reporter that records its sends; `answer` may fail them. */
function observed(answer: (count: number) => { isRevoked?: boolean } = () => ({})) {
  const sent = createRecord<Report>()
  let revoked = 0
  const reporter = createReporter(
    async (report) => {
      sent.add(report)
      return create(ReportTaskResponseSchema, answer(sent.items.length))
    },
    () => {
      revoked++
    },
    log,
  )
  return { reporter, sent, revoked: () => revoked }
}

const linesOf = (report?: Report) => report?.logs?.map(({ line }) => line)

test('combines a burst into one report with the last values', async () => {
  const { reporter, sent } = observed()
  for (let n = 1; n <= 100; n++) reporter.note({ progressPercent: n })
  reporter.note({ statusMessage: 'reading' })
  reporter.log('one\ntwo\r\nthree\n')
  const [report] = await sent.waitForCount(1)
  assert.deepEqual([report?.progressPercent, report?.statusMessage], [100, 'reading'])
  assert.deepEqual(linesOf(report), ['one', 'two', 'three'])
  await reporter.stop()
  assert.equal(sent.items.length, 1)
})

test('sends failed reports again in order, with later ones', async () => {
  const { reporter, sent } = observed((count) => {
    if (count === 1) throw new ConnectError('away', Code.Unavailable)
    return {}
  })
  reporter.note({ progressPercent: 1, statusMessage: 'first' })
  reporter.log('one')
  await sent.waitForCount(1)
  reporter.note({ progressPercent: 2 })
  reporter.log('two')
  await sent.waitForCount(2)
  const [, again] = sent.items
  assert.deepEqual([again?.progressPercent, again?.statusMessage], [2, 'first'])
  assert.deepEqual(linesOf(again), ['one', 'two'])
  assert.deepEqual(linesOf(await reporter.stop()), [])
})

test('does not send a rejected report again', async () => {
  const { reporter, sent } = observed((count) => {
    if (count === 1) throw new ConnectError('too large', Code.InvalidArgument)
    return {}
  })
  reporter.note({ detailJson: '1' })
  await sent.waitForCount(1)
  reporter.note({ progressPercent: 2 })
  await sent.waitForCount(2)
  assert.equal(sent.items[1]?.detailJson, undefined)
  await reporter.stop()
})

test('drops and counts the oldest lines beyond the buffer', async () => {
  const { reporter } = observed()
  for (let n = 0; n < 1200; n++) reporter.log(`line ${n}`)
  reporter.log('x'.repeat(5000))
  const lines = linesOf(await reporter.stop()) ?? []
  assert.equal(lines.length, 501)
  assert.equal(lines[0], '[701 lines dropped: too many at once]')
  assert.equal(lines[1], 'line 701')
  assert.equal(lines.at(-1)?.length, 2000)
})

test('a response can revoke the task; a stopped reporter sends nothing', async () => {
  const { reporter, sent, revoked } = observed(() => ({ isRevoked: true }))
  reporter.note({ progressPercent: 1 })
  await sent.waitForCount(1)
  const unsent = await reporter.stop()
  assert.equal(revoked(), 1)
  assert.deepEqual(unsent, { logs: [] })
})
