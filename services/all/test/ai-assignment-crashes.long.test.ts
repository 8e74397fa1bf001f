import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type ModelServer, startModelServer } from '@figbase/stories-ai/testing/model-server'
import { type Author, type Created, pixels, program } from './support/author.js'
import { around, createCrashAt } from './support/crash-at.js'
import { Bench, until } from './support/launched.js'
import { settingsFor, switchAiOn } from './support/switch-ai-on.js'

/**
 * Kills the process at each step of an assignment by AI. After a restart the task ends, and an answer that was stored is
 * not asked for again.
 */
const bench = new Bench(program)
let model: ModelServer
let crashAt: ReturnType<typeof createCrashAt>
before(async () => {
  model = await startModelServer()
  crashAt = createCrashAt(bench, settingsFor(model, 'openai'))
})
after(async () => {
  await bench[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})

type Revision = Created & { figure: string }

const requestsWith = (mark: string) =>
  model.requests.filter(({ text }) => text.includes(mark)).length
const base64 = (text: string) => Buffer.from(text).toString('base64')

for (const point of [
  ...around('revisions.auto-assign'),
  ...around('revisions.ChooseFigure'),
  ...around('stories-ai.write'),
])
  test(`an assignment by AI survives a kill at ${point}`, async () => {
    const mark = randomUUID()
    const client_id = randomUUID()
    const read = (author: Author) => author.json<Revision>('GET', `revision/${client_id}/`)
    const isAssigned = async (author: Author) => {
      const response = await author.request('GET', `revision/${client_id}/`)
      // The task activates a revision whose request was killed.
      if (response.status === 404) return false
      assert.equal(response.status, 200)
      return !((await response.json()) as Revision).is_processing
    }
    await crashAt(
      point,
      async (author, analysis, dataDir) => {
        await switchAiOn(author.launched.url, dataDir)
        const newFigure = (name: string) =>
          author.json<Created>('POST', 'figure/', { name: `${name} ${mark}`, analysis })
        const chosen = await newFigure('Chosen')
        await newFigure('Named')
        // The newest figure has number 1.
        model.match(mark, { json: { figure: 2 } })
        const data = [
          { name: `Named ${mark}`, type: 'image', data: pixels },
          { name: 'source', type: 'code', data: base64(`# ${mark}`) },
        ]
        return { figure: chosen.api_id, body: { analysis, client_id, metadata: {}, data } }
      },
      async (author, { body }) => {
        assert.equal((await author.request('POST', 'revision/auto-assign/', body)).status, 201)
        await until(() => isAssigned(author), 'the assignment')
      },
      async (author, { figure }) => {
        await until(() => isAssigned(author), 'the assignment')
        assert.equal((await read(author)).figure, figure)
        // The process may have been killed before it stored the answer.
        const requestsMax = point.startsWith('stories-ai.write') ? 2 : 1
        assert.ok([1, requestsMax].includes(requestsWith(mark)), String(requestsWith(mark)))
      },
    )
  })
