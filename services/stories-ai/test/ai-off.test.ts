import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Code, type ConnectRouter } from '@connectrpc/connect'
import { CommentsService } from '@figbase/proto/comments'
import { SiteService } from '@figbase/proto/identity/site'
import { SlideType } from '@figbase/proto/stories'
import { DetailDirection, StoryWriterService } from '@figbase/proto/story-writer'
import { ann, failureOf, start, workspaceId } from './test-service.js'

const disabled = { code: Code.Unavailable, error: 'ai_disabled', fields: [] }

const peers = (router: ConnectRouter) =>
  router
    .service(CommentsService, {
      async *readThread() {
        yield { comment: { id: randomUUID(), content: 'Why?' }, workspaceId }
      },
    })
    .service(SiteService, { getPublicSettings: () => ({ aiEnabled: false, aiModel: 'small' }) })

test('without a provider, whatever needs a model is 503 ai_disabled, and leaves nothing behind', async () => {
  await using at = await start({}, peers)
  const refused = at.stories.createStory({ workspaceId, name: 'Spring', generate: true }, ann)
  assert.deepEqual(await failureOf(refused), disabled)
  assert.equal(at.catalog.nodes.size, 0)

  const { id: storyId } = await at.create()
  const writer = at.client(StoryWriterService)
  const detail = { slideId: 'x', direction: DetailDirection.MORE, currentContent: 'text' }
  const calls = [
    writer.writeSlide({ storyId, type: SlideType.GOALS }, ann),
    writer.changeDetail({ storyId, ...detail }, ann),
    writer.refineSlides({ storyId }, ann),
    writer.generateStory({ storyId }, ann),
    writer.refineStory({ storyId }, ann),
    writer.startReply({ parentCommentId: randomUUID() }, ann),
  ]
  for (const call of calls) assert.deepEqual(await failureOf(call), disabled)
  const { story } = await at.stories.getStory({ id: storyId }, ann)
  assert.equal(story?.generationStatus, '')
})

test('if staff switched AI off, the answer is the same', async () => {
  await using at = await start({ AI_PROVIDER: 'openai', AI_MODELS: 'small' }, peers)
  const { id: storyId } = await at.create()
  const writer = at.client(StoryWriterService)
  assert.deepEqual(await failureOf(writer.generateStory({ storyId }, ann)), disabled)
  assert.deepEqual(
    await failureOf(writer.startReply({ parentCommentId: randomUUID() }, ann)),
    disabled,
  )
})
