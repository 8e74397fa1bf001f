import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { ConnectRouter } from '@connectrpc/connect'
import { CommentsService } from '@figbase/proto/comments'
import { TasksService } from '@figbase/proto/tasks'
import { generateStory, replyToComment } from '../src/job-names.js'
import { endAiTasks } from '../src/periodic/end-ai-tasks.js'
import { insertReply } from '../src/queries/ai-replies.js'
import { beginGeneration } from '../src/queries/generations.js'
import { ann, type Started, start, workspaceId } from './test-service.js'

/** Tasks that were cancelled, and the texts of replies. */
const revoked = new Set<string>()
const texts = new Map<string, string>()
const peers = (router: ConnectRouter) =>
  router
    .service(TasksService, {
      listRevoked: ({ ids }) => ({ ids: ids.filter((id) => revoked.has(id)) }),
    })
    .service(CommentsService, {
      fillAiResponse({ id, content }) {
        texts.set(id, content)
        return {}
      },
    })

const options = { name: 'A task', owner: 'ann', workspaceId }
const endTasks = ({ ctx }: Started) => endAiTasks.run(ctx, new AbortController().signal)

test('a generation ends when its task was cancelled or has no job any more', async () => {
  await using at = await start({}, peers)
  const [running, cancelled, lost] = [await at.create(), await at.create(), await at.create()]
  const tasks = new Map<string, string>()
  await at.ctx.transact(async (tx) => {
    for (const { id: storyId } of [running, cancelled, lost]) {
      const payload = { storyId, version: 1, username: 'ann', model: 'small' }
      const hasJob = storyId !== lost.id
      const taskId = hasJob
        ? await at.ctx.startTask(tx, generateStory, payload, options)
        : randomUUID()
      await beginGeneration(tx, { storyId, taskId, status: 'generating' })
      tasks.set(storyId, taskId)
    }
  })
  revoked.add(tasks.get(cancelled.id) ?? '')
  await endTasks(at)
  const statusOf = async ({ id }: { id: string }) =>
    (await at.stories.getStory({ id }, ann)).story?.generationStatus
  assert.equal(await statusOf(running), 'generating')
  assert.equal(await statusOf(cancelled), '')
  assert.equal(await statusOf(lost), '')
})

test('an empty reply gets a text when its task was cancelled or has no job any more', async () => {
  await using at = await start({}, peers)
  const [running, cancelled, lost] = [randomUUID(), randomUUID(), randomUUID()]
  await at.ctx.transact(async (tx) => {
    for (const id of [running, cancelled, lost]) {
      const reply = { replyId: id, parentCommentId: randomUUID(), workspaceId }
      const payload = { ...reply, username: 'ann', model: 'small' }
      const taskId =
        id === lost ? randomUUID() : await at.ctx.startTask(tx, replyToComment, payload, options)
      if (id === cancelled) revoked.add(taskId)
      await insertReply(tx, { id, taskId, username: 'ann', workspaceId })
    }
  })
  await endTasks(at)
  const text = 'AI could not answer: its task ended.'
  assert.deepEqual(Object.fromEntries(texts), { [cancelled]: text, [lost]: text })
  const left = await at.ctx.db.selectFrom('ai_reply').select('id').execute()
  assert.deepEqual(left, [{ id: running }])
})
