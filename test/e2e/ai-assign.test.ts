import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, test } from 'node:test'
import { findOrCreate, waitForRevision } from '@figbase/client'
import { type ModelReply, modelRequests, scriptModel, withoutAi } from '../src/ai.js'
import { png } from '../src/images.js'
import { code, image } from '../src/publish.js'
import type { Revision } from '../src/resources.js'
import { finishedTask, until } from '../src/tasks.js'
import { signUp, type TestUser } from '../src/users.js'

type Assigned = { figure: string; is_assigned: boolean; by?: string }

let ann: TestUser
let analysis: string
/** The model gets the newest first: `sums` has number 1, `means` number 2. */
let means: string
let sums: string
beforeEach(async () => {
  ann = await signUp()
  const path = 'Climate/Temperatures'
  means = (await findOrCreate(ann.figbase, `${path}/Monthly means`)).api_id
  sums = (await findOrCreate(ann.figbase, `${path}/Yearly sums`)).api_id
  analysis = (await findOrCreate(ann.figbase, path)).api_id
})

/** A revision with a title of `sums` and with code that only its requests to the model contain. */
async function assign(mark: string) {
  const data = [image(png(64, 48)), code(Buffer.from(`# ${mark}\nplot(means)`))]
  const body = { analysis, metadata: { title: 'Yearly sums' }, data }
  return (await ann.api.post<Revision>('revision/auto-assign/', body)).body
}

async function scripted(...replies: ModelReply[]) {
  const mark = `words ${randomUUID()}`
  await scriptModel(mark, ...replies)
  return { mark, made: await assign(mark) }
}

async function taskId() {
  const tasks = await ann.figbase.get('/tasks/')
  assert.deepEqual(
    tasks.map(({ task_type }) => task_type),
    ['auto-assign'],
  )
  return tasks[0]?.task_id ?? ''
}

const stalled = { text: ['one ', 'two'], stallAfter: 1 }

describe('assignment of revisions by AI', { skip: withoutAi }, () => {
  test('the model gets the picture, the code and the names, and its choice comes before names', async () => {
    const { mark, made } = await scripted({ json: { figure: 2 } })
    const done = await waitForRevision(ann.figbase, made.api_id)
    assert.deepEqual([done.figure, done.revision_index], [means, 0])
    await ann.api.get(`figure/${made.figure}/`, 404)
    const task = await finishedTask<Assigned>(ann.figbase, await taskId())
    assert.equal(task.status, 'SUCCESS')
    assert.deepEqual([task.result.figure, task.result.by], [means, 'content'])
    const [request, ...more] = await modelRequests(mark)
    assert.equal(more.length, 0)
    assert.equal(request?.model, 'small')
    assert.equal(request?.images.length, 1)
    assert.match(request?.text ?? '', /plot\(means\)/)
    assert.match(request?.text ?? '', /name="1">\s*Yearly sums[\s\S]*name="2">\s*Monthly means/)
  })

  const failing: Record<string, [reply: ModelReply, requests: number]> = {
    'says that none fits': [{ json: { figure: 0 } }, 1],
    'names no candidate': [{ json: { figure: 3 } }, 2],
    'answers with text': [{ text: 'The first one.' }, 2],
    fails: [{ status: 400 }, 1],
  }
  for (const [what, [reply, requests]] of Object.entries(failing)) {
    test(`if the model ${what}, the name decides`, async () => {
      const { mark, made } = await scripted(reply)
      assert.equal((await waitForRevision(ann.figbase, made.api_id)).figure, sums)
      const task = await finishedTask<Assigned>(ann.figbase, await taskId())
      assert.deepEqual([task.status, task.result.by], ['SUCCESS', 'name'])
      assert.equal((await modelRequests(mark)).length, requests)
      const { text: log } = await ann.api.get(`tasks/${await taskId()}/logs/`)
      const isTold = log.includes('AI could not choose a figure')
      assert.equal(isTold, what !== 'says that none fits')
    })
  }

  test('cancelling the task ends the request to the model, and the figure stays', async () => {
    const { mark, made } = await scripted(stalled)
    await until(async () => (await modelRequests(mark)).some(({ isOpen }) => isOpen), 'a request')
    await ann.api.post(`tasks/${await taskId()}/cancel/`, {}, 200)
    await until(async () => (await modelRequests(mark)).every(({ isOpen }) => !isOpen), 'its end')
    const done = await waitForRevision(ann.figbase, made.api_id)
    assert.equal(done.figure, made.figure)
    assert.equal((await finishedTask(ann.figbase, await taskId())).status, 'REVOKED')
  })
})
