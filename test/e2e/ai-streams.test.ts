import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { modelRequests, scriptModel, withoutAi } from '../src/ai.js'
import { openAnswer } from '../src/ai-stream.js'
import { until } from '../src/tasks.js'
import { signUp, type TestUser } from '../src/users.js'

const count = 50
const numbers = Array.from({ length: count }, (_, n) => n)

let ann: TestUser
before(async () => {
  ann = await signUp()
})
const open = (prompt: string, signal?: AbortSignal) =>
  openAnswer(ann.api, 'text_only', { text: 'a text', prompt }, signal)

describe('many streams at the same time', { skip: withoutAi }, () => {
  test('none is lost, none is mixed with another, and a slow client delays only itself', async () => {
    const mark = randomUUID()
    const partsOf = (n: number) => Array.from({ length: 10 }, (_, part) => `${n}.${part} `)
    await Promise.all(
      numbers.map((n) => scriptModel(`${mark} ${n}.`, { text: partsOf(n), delayMs: 20 })),
    )
    const long = Array.from({ length: 12 }, (_, n) => String(n % 10).repeat(10_000))
    await scriptModel(`${mark} slow`, { text: long })
    const slow = await open(`${mark} slow`)
    await slow.next()
    await Promise.all(
      numbers.map(async (n) => {
        const answer = await open(`${mark} ${n}.`)
        const events = await answer.rest()
        const deltas = events.filter(({ event }) => event === 'delta').map(({ data }) => data.text)
        assert.deepEqual(deltas, partsOf(n))
        assert.deepEqual(
          events.slice(-2).map(({ event }) => event),
          ['usage', 'done'],
        )
        assert.equal(events.at(-1)?.data.response, partsOf(n).join(''))
      }),
    )
    const last = (await slow.rest()).at(-1)
    assert.deepEqual([last?.event, last?.data.response], ['done', long.join('')])
    assert.equal((await modelRequests(mark)).length, count + 1)
  })

  test('when all clients leave, all requests to the model end', async () => {
    const mark = randomUUID()
    await scriptModel(mark, { text: ['One ', 'two.'], stallAfter: 1 })
    const leave = new AbortController()
    await Promise.all(
      numbers.map(async (n) => {
        const answer = await open(`${mark} ${n}`, leave.signal)
        assert.equal((await answer.next())?.data.text, 'One ')
      }),
    )
    const openOnes = async () => (await modelRequests(mark)).filter(({ isOpen }) => isOpen)
    assert.equal((await openOnes()).length, count)
    leave.abort()
    await until(async () => (await openOnes()).length === 0, 'the requests to end')
  })
})
