import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { findOrCreate, syncAsset } from '@figbase/client'
import { modelRequests, scriptModel, withoutAi } from '../src/ai.js'
import type { Client } from '../src/client.js'
import { type Comment, listComments, newComment } from '../src/comments.js'
import { VERSIONS } from '../src/deployment.js'
import { png } from '../src/images.js'
import { published } from '../src/published.js'
import { until } from '../src/tasks.js'
import { signUp, type TestUser } from '../src/users.js'

let ann: TestUser
let eve: TestUser
let figure: string
let asset: string
before(async () => {
  ;[ann, eve] = await Promise.all([signUp(), signUp()])
  const path = 'Climate/Temperatures/Monthly means'
  const shown = { figure: path, image: png(64, 48), code: 'plot(means)' }
  figure = (await published(ann.figbase, shown)).figure
  const { api_id: workspace } = await findOrCreate(ann.figbase, 'Climate')
  asset = (await syncAsset(ann.figbase, '1', { name: 'Nets', workspace })).asset
})

const words = () => `question ${randomUUID()}`
const onFigure = (me: Client, content: string, parent?: string) =>
  newComment(me, 'figure', figure, content, parent)
const askAi = async (me: Client, id: string, status = 201) =>
  (await me.post<Comment>(`comment/${id}/create_ai_response/`, {}, status)).body

describe('replies to comments by AI', { skip: withoutAi }, () => {
  for (const version of VERSIONS) {
    test(`${version}: the reply is empty first, and filled later`, async () => {
      const me = ann.at(version)
      const question = words()
      const { id } = await onFigure(me, question)
      await scriptModel(question, { text: ['It shows ', '*means*.'], stallMs: 300 })
      const empty = await askAi(me, id)
      assert.equal(empty.content, '')
      assert.equal(empty.user.username, 'ai')
      assert.equal(empty.parent_comment_id, id)
      assert.deepEqual([empty.target_type, empty.target_id], ['figure', figure])
      const { content, ...filled } = await reply(me, 'figure', figure, empty.id)
      assert.equal(content, 'It shows *means*.')
      const { content: _, ...before } = empty
      const { updated_on: __, ...rest } = filled
      const { updated_on: ___, ...expected } = before
      assert.deepEqual(rest, expected)
      const [request] = await modelRequests(question)
      assert.equal(request?.images.length, 1)
      assert.match(request?.text ?? '', /plot\(means\)/)
    })
  }

  test('the model gets the comments above, and the name of an asset', async () => {
    const [first, second] = [words(), words()]
    const above = await newComment(ann.api, 'asset', asset, first)
    const { id } = await newComment(ann.api, 'asset', asset, second, above.id)
    await scriptModel(second, { text: 'Yes.' })
    const { id: replyId } = await askAi(ann.api, id)
    assert.equal((await reply(ann.api, 'asset', asset, replyId)).content, 'Yes.')
    const [request] = await modelRequests(second)
    const text = request?.text ?? ''
    assert.match(text, /Nets/)
    assert.ok(text.indexOf(first) >= 0 && text.indexOf(first) < text.indexOf(second))
  })

  test('if the model fails, the reply says so', async () => {
    const question = words()
    const { id } = await onFigure(ann.api, question)
    await scriptModel(question, { status: 500 })
    const { id: replyId } = await askAi(ann.api, id)
    const { content } = await reply(ann.api, 'figure', figure, replyId)
    assert.match(content, /^AI could not answer: .*model.*\.$/)
    assert.doesNotMatch(content, /\.\./)
  })

  test('who asked for a reply may delete it, also while it is empty', async () => {
    const question = words()
    const { id } = await onFigure(ann.api, question)
    await scriptModel(question, { text: ['one ', 'two'], stallMs: 1000 })
    const { id: replyId } = await askAi(ann.api, id)
    await ann.api.delete(`comment/${replyId}/`)
    await until(async () => (await modelRequests(question)).every((one) => !one.isOpen), 'the end')
    const listed = await listComments(ann.api, 'figure', figure)
    assert.ok(listed.every((one) => one.id !== replyId))
  })

  test('cancelling the task ends the request to the model, and the reply says so', async () => {
    const question = words()
    const { id } = await onFigure(ann.api, question)
    await scriptModel(question, { text: ['one ', 'two'], stallAfter: 1 })
    const { id: replyId } = await askAi(ann.api, id)
    await until(async () => (await modelRequests(question)).some((one) => one.isOpen), 'a request')
    // The newest one: that of the reply before may still be about to end.
    const [task] = await ann.figbase.get('/tasks/', { query: { status__in: 'STARTED' } })
    assert.ok(task)
    await ann.figbase.post('/tasks/{task_id}/cancel/', { path: { task_id: task.task_id } })
    const { content } = await reply(ann.api, 'figure', figure, replyId)
    assert.equal(content, 'AI could not answer: the task was cancelled.')
    await until(async () => (await modelRequests(question)).every((one) => !one.isOpen), 'the end')
  })

  test('users who may not comment get no reply, and nothing reaches the model', async () => {
    const question = words()
    const { id } = await onFigure(ann.api, question)
    await askAi(eve.api, id, 403)
    const listed = await listComments(ann.api, 'figure', figure)
    assert.ok(listed.every((one) => one.parent_comment_id !== id))
    assert.equal((await modelRequests(question)).length, 0)
  })
})

/** The comment when it has a text. */
async function reply(me: Client, type: 'figure' | 'asset', target: string, id: string) {
  let found: Comment | undefined
  await until(async () => {
    found = (await listComments(me, type, target)).find((one) => one.id === id)
    return Boolean(found?.content)
  }, 'the text of the reply')
  assert.ok(found)
  return found
}
