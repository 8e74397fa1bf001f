import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { Code, type HandlerContext } from '@connectrpc/connect'
import { failure } from '@figbase/kit/errors'
import { type AskResponseSchema, InsightService } from '@figbase/proto/insight'
import { authorization, startEdge } from './start-edge.js'

type Part = MessageInitShape<typeof AskResponseSchema>
type Answer = (prompt: string, call: HandlerContext) => AsyncGenerator<Part>

const started: Part = { event: { case: 'started', value: {} } }
const delta = (value: string): Part => ({ event: { case: 'delta', value } })
const done: Part = { event: { case: 'done', value: { response: 'all', model: 'small' } } }

/** A gateway whose stories-ai answers so. */
const startWith = (answer: Answer, env: Record<string, string> = {}) =>
  startEdge(
    (router) =>
      router.service(InsightService, {
        ask: ({ question }, call) =>
          answer(question.case === 'figure' ? question.value.prompt : '', call),
      }),
    env,
  )

const bodyOf = (prompt: string) =>
  JSON.stringify({ figure_revision: randomUUID(), prompt, stream: true })

const ask = (url: string, prompt = 'What is it?', signal: AbortSignal | null = null) =>
  fetch(`${url}/api/v1.4.1/deep_insight/`, {
    method: 'POST',
    headers: { ...authorization(), 'content-type': 'application/json' },
    body: bodyOf(prompt),
    signal,
  })

test('while the model is silent, heartbeats keep the connection alive', async () => {
  async function* slowly() {
    yield started
    await sleep(500)
    yield done
  }
  await using edge = await startWith(slowly, { EVENT_HEARTBEAT: '50ms' })
  const response = await ask(edge.url)
  assert.equal(response.headers.get('x-accel-buffering'), 'no')
  const text = await response.text()
  assert.match(text, /^(: heartbeat\n\n){3,}event: done\ndata: /)
})

test('a failure ends the stream with an error and without done', async () => {
  async function* failing() {
    yield started
    yield delta('One ')
    throw failure(Code.Aborted, 'ai_failed', 'the language model failed; try again')
  }
  await using edge = await startWith(failing)
  const text = await (await ask(edge.url)).text()
  const events = [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, event, data]) => [
    event,
    JSON.parse(data ?? ''),
  ])
  assert.deepEqual(events, [
    ['delta', { text: 'One ' }],
    ['error', { error: 'ai_failed', detail: 'the language model failed; try again' }],
  ])
})

test('a refusal before the request is accepted has its status', async () => {
  // biome-ignore lint/correctness/useYield: it fails first.
  await using edge = await startWith(async function* () {
    throw failure(Code.ResourceExhausted, 'ai_quota_exceeded', 'no tokens are left')
  })
  assert.equal((await ask(edge.url)).status, 429)
})

test('a client that leaves ends the call within a second', async () => {
  let hangUp = (_at: number) => {}
  const aborted = new Promise<number>((resolve) => {
    hangUp = resolve
  })
  async function* silent(_: string, { signal }: HandlerContext) {
    signal.addEventListener('abort', () => hangUp(performance.now()))
    yield started
    yield delta('One ')
    await aborted
  }
  await using edge = await startWith(silent)
  const leave = new AbortController()
  const response = await ask(edge.url, 'What is it?', leave.signal)
  await response.body?.getReader().read()
  const leftAt = performance.now()
  leave.abort()
  assert.ok((await aborted) - leftAt < 1000)
})

test('a client that does not read holds back only its own answer, in bounded memory', async () => {
  const part = 'x'.repeat(64 * 1024)
  const sent = { slow: 0, other: 0 }
  const partsMax = 2000
  async function* endless(prompt: string) {
    const which = prompt === 'slow' ? 'slow' : 'other'
    yield started
    while (sent[which] < (which === 'slow' ? partsMax : 20)) {
      sent[which]++
      yield delta(part)
    }
    yield done
  }
  await using edge = await startWith(endless)
  const socket = connect(edge.port, '127.0.0.1').pause()
  await once(socket, 'connect')
  const body = bodyOf('slow')
  socket.write(
    [
      'POST /api/v1.4.1/deep_insight/ HTTP/1.1',
      'host: localhost',
      `authorization: ${authorization().authorization}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  )
  let before = -1
  while (sent.slow !== before || before <= 0) {
    before = sent.slow
    await sleep(200)
  }
  // Buffers of the sockets, and one event.
  assert.ok(before * part.length < 16 * 2 ** 20, `${before} parts`)
  const text = await (await ask(edge.url, 'other')).text()
  assert.equal(text.split('event: delta\n').length - 1, 20)
  assert.equal(sent.slow, before)
  socket.destroy()
})
