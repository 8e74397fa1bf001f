import { forward, requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { requireAi } from '../insight/ai-state.js'
import { findPayer } from '../insight/payer.js'
import type { StoryWriterImpl } from '../routes.js'
import { refineSlides as refine } from '../story-writer/refine-slides.js'
import { readContent, requireStoryUpdate } from '../story-writer/story-update.js'

export function refineSlides(ctx: Ctx): StoryWriterImpl['refineSlides'] {
  return async (req, call) => {
    const username = requireUser(call)
    const as = forward(call)
    const { storyId, workspaceId } = await requireStoryUpdate(ctx, req.storyId, as)
    const model = await requireAi(ctx, '', as)
    const story = await readContent(ctx, storyId)
    const payer = await findPayer(ctx, username, workspaceId, as)
    const options = { payer, model, signal: call.signal }
    const { texts, omissions } = await refine(ctx, story, options)
    const slides = Array.from(texts, ([slideId, content]) => ({ slideId, content }))
    return { slides, omissions }
  }
}
