import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { modelRequests, scriptModel, withoutAi } from '../src/ai.js'
import type { Refusal } from '../src/client.js'
import { deployment, LATEST } from '../src/deployment.js'
import { png } from '../src/images.js'
import { published } from '../src/published.js'
import { signUp, type TestUser } from '../src/users.js'

type Answer = { response: string; model: string; is_cached: boolean; omissions: string[] }

let ann: TestUser
let bob: TestUser
let revision: string
before(async () => {
  ;[ann, bob] = await Promise.all([signUp(), signUp()])
  const figure = 'Climate/Temperatures/Monthly means'
  const shown = { figure, image: png(64, 48), code: 'plot(means)' }
  revision = (await published(ann.figbase, shown)).api_id
})

const words = () => `question ${randomUUID()}`
const body = (prompt: string, more = {}) => ({ figure_revision: revision, prompt, ...more })
const ask = async (prompt: string, more = {}) =>
  (await ann.api.post<Answer>('deep_insight/', body(prompt, more), 200)).body

describe('questions about a figure', { skip: withoutAi }, () => {
  test('the model gets the picture, the code and the question, and its answer is returned', async () => {
    const prompt = words()
    await scriptModel(prompt, { text: ['It shows ', 'means.'] })
    const answer = await ask(prompt)
    assert.deepEqual(answer, {
      response: 'It shows means.',
      model: 'small',
      is_cached: false,
      omissions: [],
    })
    const [request] = await modelRequests(prompt)
    assert.equal(request?.images.length, 1)
    assert.match(request?.text ?? '', /Monthly means/)
    assert.match(request?.text ?? '', /plot\(means\)/)
  })

  test('an equal question is answered from the earlier answer', async () => {
    const prompt = words()
    const first = await ask(prompt)
    const second = await ask(prompt)
    assert.deepEqual(second, { ...first, is_cached: true })
    assert.equal((await modelRequests(prompt)).length, 1)
    await ask(prompt, { model: 'large' })
    assert.equal((await modelRequests(prompt)).length, 2)
  })

  test('an answer is streamed in the parts in which it arrives, with its usage', async () => {
    const prompt = words()
    const usage = { input: 100, output: 7 }
    await scriptModel(prompt, { text: ['One ', 'two.'], usage })
    const response = await stream(prompt)
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.equal(response.headers.get('x-accel-buffering'), 'no')
    assert.deepEqual(eventsIn(await response.text()), [
      { event: 'delta', data: { text: 'One ' } },
      { event: 'delta', data: { text: 'two.' } },
      { event: 'usage', data: { input_tokens: 100, output_tokens: 7, is_estimate: false } },
      {
        event: 'done',
        data: { response: 'One two.', model: 'small', is_cached: false, omissions: [] },
      },
    ])
  })

  test('a failure of the model is 502, 503 or an error at the end of the stream', async () => {
    const cases = [
      [500, 502, 'ai_failed'],
      [429, 503, 'ai_overloaded'],
      [529, 503, 'ai_overloaded'],
    ] as const
    for (const [status, expected, error] of cases) {
      const prompt = words()
      await scriptModel(prompt, { status, retryAfterSeconds: 1 })
      const refusal = await ann.api.post<Refusal>('deep_insight/', body(prompt), expected)
      assert.equal(refusal.body.error, error)
    }
    const prompt = words()
    await scriptModel(prompt, { text: ['One ', 'two.'], cutAfter: 1 })
    const events = eventsIn(await (await stream(prompt)).text())
    assert.deepEqual(
      events.map(({ event }) => event),
      ['delta', 'error'],
    )
    assert.equal(events[1]?.data.error, 'ai_failed')
  })

  test('a client that leaves ends the request to the model within a second', async () => {
    const prompt = words()
    await scriptModel(prompt, { text: ['One ', 'two.'], stallAfter: 1 })
    const leave = new AbortController()
    const response = await stream(prompt, leave.signal)
    await response.body?.getReader().read()
    leave.abort()
    const until = performance.now() + 1000
    const isOpen = async () => (await modelRequests(prompt)).some(({ isOpen }) => isOpen)
    while (await isOpen()) assert.ok(performance.now() < until, 'the request is open')
  })

  test('bad input is 400 with the name of the member, and reaches no model', async () => {
    const prompt = words()
    const cases: [string, object][] = [
      ['prompt', { prompt: ' ' }],
      ['prompt', { prompt: 'x'.repeat(33_000) }],
      ['prompt', { prompt: 7 }],
      ['model', { prompt, model: 'huge' }],
      ['figure_revision', { prompt, figure_revision: randomUUID() }],
      ['figure_revision', { prompt, figure_revision: 'x' }],
      ['stream', { prompt, stream: 'yes' }],
    ]
    for (const [field, change] of cases) {
      const request = { ...body(prompt), ...change }
      const { body: refusal } = await ann.api.post<Refusal>('deep_insight/', request, 400)
      assert.deepEqual(
        refusal.errors?.map((one) => one.field),
        [field],
        JSON.stringify(change),
      )
    }
    assert.equal((await modelRequests(prompt)).length, 0)
  })

  test('a user without access is refused, and check/ tells why', async () => {
    await bob.api.post('deep_insight/', body(words()), 403)
    const { body: told } = await bob.api.post<{ available: boolean; messages: string[] }>(
      'deep_insight/check/',
      { figure_revision: revision },
      200,
    )
    assert.equal(told.available, false)
    assert.match(told.messages.join(), /permission/)
    const own = await ann.api.post('deep_insight/check/', { figure_revision: revision }, 200)
    assert.deepEqual(own.body, { available: true, messages: [] })
  })
})

function stream(prompt: string, signal?: AbortSignal): Promise<Response> {
  return fetch(new URL(`/api/${LATEST}/deep_insight/`, deployment.origin), {
    method: 'POST',
    headers: { authorization: ann.api.authorization ?? '', 'content-type': 'application/json' },
    body: JSON.stringify(body(prompt, { stream: true })),
    ...(signal && { signal }),
  })
}

const eventsIn = (text: string) =>
  text
    .split('\n\n')
    .map((block) => /^event: (.*)\ndata: (.*)$/.exec(block))
    .flatMap((match) => (match ? [{ event: match[1], data: JSON.parse(match[2] ?? '') }] : []))
