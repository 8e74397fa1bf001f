import type { Ctx } from '../context.js'
import type { GenerationStatus } from '../db/schema.js'
import { storyNotFound } from '../errors.js'
import { revokeTask } from '../insight/revoke-task.js'
import { generateStory, refineStory } from '../job-names.js'
import { beginGeneration, findGeneration } from '../queries/generations.js'
import { findStoryLocked } from '../queries/stories.js'

const tasks = {
  generating: { task: generateStory, name: 'Generation of a story' },
  refining: { task: refineStory, name: 'Refinement of a story' },
}

type Start = {
  storyId: string
  status: GenerationStatus
  username: string
  model: string
  workspaceId: string
}

/** Starts a task that writes a story, and cancels the one that does it now. Returns the id of the task. */
export async function startGeneration(ctx: Ctx, start: Start): Promise<string> {
  const { storyId, status, username, model, workspaceId } = start
  const { task, name } = tasks[status]
  const { taskId, replaced } = await ctx.transact(async (tx) => {
    const story = await findStoryLocked(tx, storyId)
    if (!story) throw storyNotFound()
    const replaced = await findGeneration(tx, storyId)
    const payload = { storyId, version: story.version, username, model }
    const taskId = await ctx.startTask(tx, task, payload, { name, owner: username, workspaceId })
    await beginGeneration(tx, { storyId, taskId, status })
    return { taskId, replaced }
  })
  if (replaced) await revokeTask(ctx, replaced)
  return taskId
}
