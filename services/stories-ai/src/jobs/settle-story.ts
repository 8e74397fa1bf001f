import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { defineJob } from '@figbase/kit/jobs'
import { actAs, user } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { isFinal } from '../errors.js'
import { settleStory } from '../job-names.js'
import { activate } from '../publication/activate.js'
import { applyUpdate } from '../publication/apply-update.js'
import { type CurrentStory, findStory } from '../queries/stories.js'
import { deleteSettled, listUnsettled } from '../queries/updates.js'
import { toContent } from '../wire.js'

const callTimeoutMs = 10_000

/** Reports what the requests could not to catalog: the creation of a story, and updates in their order. */
export const settleStoryJob = defineJob({
  ...settleStory,
  timeoutMs: 60_000,
  async run(ctx: Ctx, { storyId }) {
    const story = await findStory(ctx.db, storyId)
    if (!story) return
    const { size_bytes: sizeBytes, is_silent: silent } = story
    if (!story.is_activated && !(await isActivated(ctx, { id: storyId, sizeBytes, silent }, story)))
      return
    for (const update of await listUnsettled(ctx.db, storyId)) {
      const application = {
        updateId: update.id,
        storyId,
        silent: update.is_silent,
        note: update.note,
      }
      await applyDeferred(ctx, application, update.author)
    }
  },
})

/** False if catalog refuses for good: the story is removed. */
async function isActivated(
  ctx: Ctx,
  activation: Parameters<typeof activate>[1],
  { created_by }: CurrentStory,
) {
  try {
    await activate(ctx, activation, { ...actAs(user(created_by)), timeoutMs: callTimeoutMs })
    return true
  } catch (error) {
    if (!isFinal(error)) throw error
    return false
  }
}

async function applyDeferred(
  ctx: Ctx,
  update: { updateId: string; storyId: string; silent: boolean; note: string },
  author: string,
) {
  const story = await findStory(ctx.db, update.storyId)
  if (!story) return
  const { version, size_bytes: sizeBytes } = story
  const application = { ...update, version, sizeBytes, content: toContent(story) }
  try {
    await applyUpdate(ctx, application, { ...actAs(user(author)), timeoutMs: callTimeoutMs })
  } catch (err) {
    // The story was deleted, or the author lost access after the update was applied.
    if (!isFinal(err) && !hasCode(err, Code.PermissionDenied)) throw err
    ctx.log.info({ err, ...update }, 'update not applied: the story or the permission is gone')
    await ctx.write((db) => deleteSettled(db, [update.updateId]))
  }
}
