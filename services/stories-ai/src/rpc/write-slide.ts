import type { CallOptions } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { forward, requireUser } from '@figbase/kit/rpc'
import type { WriteSlideRequest } from '@figbase/proto/story-writer'
import type { Ctx } from '../context.js'
import type { Content } from '../domain/content.js'
import { slideKindOf } from '../domain/parse-slides.js'
import { readFigure } from '../figure-context/read-figure.js'
import { requireAi } from '../insight/ai-state.js'
import type { AnswerOptions } from '../insight/answer.js'
import { answerJson } from '../insight/answer-json.js'
import { checkFigureAccess } from '../insight/figure-access.js'
import { findPayer } from '../insight/payer.js'
import { storyFigure } from '../prompts/story-figure.js'
import type { OverviewKind } from '../prompts/story-overview.js'
import type { StoryWriterImpl } from '../routes.js'
import { readContent, requireStoryUpdate } from '../story-writer/story-update.js'
import { usableFigures } from '../story-writer/usable-figures.js'
import { writeOverview } from '../story-writer/write-overview.js'

export function writeSlide(ctx: Ctx): StoryWriterImpl['writeSlide'] {
  return async (req, call) => {
    const username = requireUser(call)
    const as = forward(call)
    const { storyId, workspaceId } = await requireStoryUpdate(ctx, req.storyId, as)
    const model = await requireAi(ctx, req.model, as)
    const kind = slideKindOf(req.type)
    if (!kind) throw invalid('slide_type', 'is unknown')
    const story = await readContent(ctx, storyId)
    const payer = await findPayer(ctx, username, workspaceId, as)
    const options = { payer, model, signal: call.signal }
    if (kind === 'figure') return aboutFigure(ctx, story, req, as, options)
    if (req.revisionId) throw invalid('revision_id', 'is only for figure slides')
    return aboutStory(ctx, story, kind, as, options)
  }
}

async function aboutFigure(
  ctx: Ctx,
  story: Content,
  { revisionId }: WriteSlideRequest,
  as: CallOptions,
  options: AnswerOptions,
) {
  if (!revisionId) throw invalid('revision_id', 'is required for figure slides')
  const { workspaceId } = await checkFigureAccess(ctx, 'revision_id', revisionId, as)
  const place = { id: revisionId.toLowerCase(), workspaceId }
  const figure = await readFigure(ctx, place, ctx.cfg.ai.inputTokensMax, as)
  const written = await answerJson(ctx, storyFigure(story, figure, ''), options)
  const { content, methods, inputs, outputs } = written
  const slide = { case: 'figure' as const, value: { methods, inputs, outputs } }
  return { content, slide, omissions: figure.omissions }
}

async function aboutStory(
  ctx: Ctx,
  story: Content,
  kind: OverviewKind,
  as: CallOptions,
  options: AnswerOptions,
) {
  const usable = await usableFigures(ctx, story.revisionIds, as)
  const { content, figures } = await writeOverview(ctx, story, kind, usable, as, options)
  const textsOf = (member: 'description' | 'methods') =>
    usable.figures.flatMap(({ id: revisionId }, i) => {
      const text = figures.find(({ number }) => number === i + 1)?.[member]
      return text ? { revisionId, text } : []
    })
  const value = { descriptions: textsOf('description'), methods: textsOf('methods') }
  return { content, slide: { case: 'overview' as const, value }, omissions: usable.omissions }
}
