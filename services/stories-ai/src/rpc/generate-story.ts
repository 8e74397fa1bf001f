import type { HandlerContext } from '@connectrpc/connect'
import { forward, requireUnbound } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import type { GenerationStatus } from '../db/schema.js'
import { requireAi } from '../insight/ai-state.js'
import type { StoryWriterImpl } from '../routes.js'
import { startGeneration } from '../story-writer/start-generation.js'
import { requireStoryUpdate } from '../story-writer/story-update.js'

export function generateStory(ctx: Ctx): StoryWriterImpl['generateStory'] {
  return async (req, call) => ({ taskId: await start(ctx, req.storyId, 'generating', call) })
}

export function refineStory(ctx: Ctx): StoryWriterImpl['refineStory'] {
  return async (req, call) => ({ taskId: await start(ctx, req.storyId, 'refining', call) })
}

async function start(ctx: Ctx, id: string, status: GenerationStatus, call: HandlerContext) {
  // The task belongs to no workspace, and reads the figures of all workspaces of its user.
  const username = requireUnbound(call)
  const as = forward(call)
  const { storyId, workspaceId } = await requireStoryUpdate(ctx, id, as)
  const model = await requireAi(ctx, '', as)
  return startGeneration(ctx, { storyId, status, username, model, workspaceId })
}
