import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { sql } from 'kysely'
import { type AiService, ann, bob, startAi, until } from './ai-service.js'

let at: AiService
before(async () => {
  at = await startAi({ env: { AI_ANSWER_RETENTION: '0s' } })
})
after(() => at[Symbol.asyncDispose]())
beforeEach(() => sql`truncate ai_usage, ai_request, ai_quota`.execute(at.ctx.db))

async function refusalOf(asked: Promise<unknown>) {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ConnectError, String(error))
  const { error: name, retryAfterSeconds = 0 } = detailOf(error) ?? {}
  return { code: error.code, name, retryAfterSeconds, message: error.rawMessage }
}

const answer = { text: ['Means.'], usage: { input: 400, output: 100 } }
const check = () => at.insight.check({ revisionId: at.peers.revisionId }, ann)
const secondsToNextMonth = () => {
  const now = new Date()
  return (Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime()) / 1000
}

test('beyond the quota, a request is refused, with what is left and when it renews; the model gets nothing', async () => {
  at.peers.terms = { monthlyTokenQuota: 600n }
  at.model.next(answer)
  await at.ask('What is it?')
  assert.deepEqual(await at.quota(), { used: 500, reserved: 0 })
  const sent = at.model.requests.length
  const refusal = await refusalOf(at.ask(`What is it? ${'Why? '.repeat(200)}`))
  assert.deepEqual([refusal.code, refusal.name], [Code.ResourceExhausted, 'ai_quota_exceeded'])
  assert.match(refusal.message, /100 of 600 AI tokens left .* renews in \d+ days?$/)
  assert.ok(Math.abs(refusal.retryAfterSeconds - secondsToNextMonth()) < 60)
  assert.equal(at.model.requests.length, sent)
  assert.deepEqual(await at.quota(), { used: 500, reserved: 0 })
  assert.deepEqual(await at.open(), [])
  const told = await check()
  assert.equal(told.available, true)
  assert.match(told.messages.join(), /^100 of 600 tokens left; the quota renews in \d+ days?$/)
})

test('an answer may exceed the quota; then nothing is left, and check/ says so', async () => {
  at.peers.terms = { monthlyTokenQuota: 450n }
  at.model.next(answer)
  await at.ask('What is it?')
  const told = await check()
  assert.equal(told.available, false)
  assert.match(told.messages.join(), /^0 of 450 tokens left/)
  assert.match((await refusalOf(at.ask('And now?'))).message, /0 of 450 AI tokens left/)
})

test('what open requests have reserved is not left for others', async () => {
  at.peers.terms = { monthlyTokenQuota: 100_000n }
  at.model.next({ ...answer, stallAfter: 0 })
  const leave = new AbortController()
  const first = at.ask('How many?', ann, leave.signal).catch(() => undefined)
  await until(async () => (await at.open()).length > 0, 'the first request')
  const { reserved } = await at.quota()
  at.peers.terms = { monthlyTokenQuota: BigInt(2 * reserved - 1) }
  const others = Array.from({ length: 5 }, () => refusalOf(at.ask('How many?')))
  for (const { name } of await Promise.all(others)) assert.equal(name, 'ai_quota_exceeded')
  leave.abort()
  await first
  await until(async () => (await at.open()).length === 0, 'the first request to end')
  assert.equal((await at.quota()).reserved, 0)
})

test('the quota of last month does not count', async () => {
  at.peers.terms = { monthlyTokenQuota: 5000n }
  await sql`
    insert into ai_quota (holder_id, month, used_tokens)
    values (${at.peers.workspaceId}, date_trunc('month', now() at time zone 'utc') - interval '1 month', 5000)`.execute(
    at.ctx.db,
  )
  at.model.next(answer)
  await at.ask('What is it?')
})

test('the rate is one of each user and minute', async () => {
  at.peers.terms = { deepInsightRate: 2 }
  at.model.next(answer)
  await at.ask('One?')
  await at.ask('Two?')
  const sent = at.model.requests.length
  const refusal = await refusalOf(at.ask('Three?'))
  assert.deepEqual([refusal.code, refusal.name], [Code.ResourceExhausted, 'ai_rate_exceeded'])
  assert.ok(refusal.retryAfterSeconds > 0 && refusal.retryAfterSeconds <= 60)
  assert.equal(at.model.requests.length, sent)
  assert.deepEqual(await check().then(({ available, messages }) => ({ available, messages })), {
    available: false,
    messages: ['0 of 2 requests left in this minute'],
  })
  await at.ask('Of another user?', bob)
})
