import type { CallOptions } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { forward, requireUser } from '@figbase/kit/rpc'
import { DetailDirection } from '@figbase/proto/story-writer'
import type { Ctx } from '../context.js'
import { readFigure } from '../figure-context/read-figure.js'
import { requireAi } from '../insight/ai-state.js'
import { answerJson } from '../insight/answer-json.js'
import { parsePrompt } from '../insight/parse-prompt.js'
import { findPayer } from '../insight/payer.js'
import { type Direction, storyDetail } from '../prompts/story-detail.js'
import type { StoryWriterImpl } from '../routes.js'
import { readContent, requireStoryUpdate } from '../story-writer/story-update.js'
import { usableFigures } from '../story-writer/usable-figures.js'

const directions: Partial<Record<DetailDirection, Direction>> = {
  [DetailDirection.MORE]: 'more',
  [DetailDirection.LESS]: 'less',
}

export function changeDetail(ctx: Ctx): StoryWriterImpl['changeDetail'] {
  return async (req, call) => {
    const username = requireUser(call)
    const as = forward(call)
    const { storyId, workspaceId } = await requireStoryUpdate(ctx, req.storyId, as)
    const model = await requireAi(ctx, req.model, as)
    const direction = directions[req.direction]
    if (!direction) throw invalid('direction', 'must be more or less')
    const text = parsePrompt('current_content', req.currentContent, ctx.cfg.ai)
    const story = await readContent(ctx, storyId)
    const slide = story.slides.find(({ id }) => id === req.slideId)
    if (!slide) throw invalid('slide_id', 'is no slide of the story')
    const figure = slide.revisionId ? await figureOf(ctx, slide.revisionId, as) : undefined
    const payer = await findPayer(ctx, username, workspaceId, as)
    const prompt = storyDetail(story, text, direction, figure)
    const { content } = await answerJson(ctx, prompt, { payer, model, signal: call.signal })
    return { content }
  }
}

/** Undefined if the caller may not use the figure: then the model gets the text only. */
async function figureOf(ctx: Ctx, revisionId: string, as: CallOptions) {
  const [place] = (await usableFigures(ctx, [revisionId], as)).figures
  return place && readFigure(ctx, place, ctx.cfg.ai.inputTokensMax, as)
}
