import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AiService, doneIn, startAi, usageIn } from './ai-service.js'

const reply = { text: 'It shows means.', usage: { input: 100, output: 7 } }
const storedPrompts = ({ ctx }: AiService) =>
  ctx.db.selectFrom('ai_answer').select('prompt').execute()

test('an equal question is answered from the earlier answer, marked and free of quota', async () => {
  await using at = await startAi()
  at.model.always(reply)
  const first = await at.ask('What is it?')
  assert.equal(doneIn(first)?.isCached, false)
  const second = await at.ask('What is it?')
  assert.equal(doneIn(second)?.isCached, true)
  assert.equal(doneIn(second)?.response, reply.text)
  assert.equal(usageIn(second), undefined)
  assert.equal(at.model.requests.length, 1)
  assert.deepEqual(await at.quota(), { used: 107, reserved: 0 })
  assert.deepEqual(await storedPrompts(at), [{ prompt: 'ask 2' }])
})

test('another question, figure or model is asked', async () => {
  await using at = await startAi()
  at.model.always(reply)
  await at.ask('What is it?')
  await at.ask('What is this?')
  at.peers.figureName = 'Yearly sums'
  await at.ask('What is it?')
  at.peers.site.aiModel = 'large'
  await at.ask('What is it?')
  assert.equal(at.model.requests.length, 4)
})

test('a failure is not served again', async () => {
  await using at = await startAi()
  at.model.always({ status: 500 })
  await assert.rejects(at.ask('What is it?'))
  at.model.always(reply)
  assert.equal(doneIn(await at.ask('What is it?'))?.isCached, false)
})

test('AI_ANSWER_RETENTION=0s stores and serves no answers', async () => {
  await using at = await startAi({ env: { AI_ANSWER_RETENTION: '0s' } })
  at.model.always(reply)
  for (let times = 1; times <= 2; times++) {
    assert.equal(doneIn(await at.ask('What is it?'))?.isCached, false)
    assert.equal(at.model.requests.length, times)
  }
  assert.deepEqual(await storedPrompts(at), [])
})
