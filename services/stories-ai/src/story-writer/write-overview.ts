import type { CallOptions } from '@connectrpc/connect'
import type { Ctx } from '../context.js'
import { readFigure } from '../figure-context/read-figure.js'
import type { AnswerOptions } from '../insight/answer.js'
import { answerJson } from '../insight/answer-json.js'
import type { StoryTexts } from '../prompts/story-data.js'
import {
  type NumberedFigure,
  type OverviewKind,
  type OverviewSlide,
  storyOverview,
} from '../prompts/story-overview.js'
import type { UsableFigures } from './usable-figures.js'

/** The rest is for the texts of the story. */
const shareOfFigures = 0.8

/** A slide about all figures: each gets an equal part of the budget, without its picture. */
export async function writeOverview(
  ctx: Ctx,
  story: StoryTexts,
  kind: OverviewKind,
  { figures }: UsableFigures,
  as: CallOptions,
  options: AnswerOptions,
): Promise<OverviewSlide> {
  const tokensMax = Math.floor((ctx.cfg.ai.inputTokensMax * shareOfFigures) / figures.length)
  const known: NumberedFigure[] = []
  for (const place of figures) known.push(await readFigure(ctx, place, tokensMax, as))
  return answerJson(ctx, storyOverview(story, kind, known), options)
}
