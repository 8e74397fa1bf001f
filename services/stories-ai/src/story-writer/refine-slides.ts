import type { Ctx } from '../context.js'
import type { Content, Slide } from '../domain/content.js'
import type { AnswerOptions } from '../insight/answer.js'
import { answerJson } from '../insight/answer-json.js'
import { estimateTokens } from '../model/estimate-tokens.js'
import { storyRefine } from '../prompts/story-refine.js'

/** Texts by slide, and what was left out, for users. */
export type RefinedTexts = { texts: Map<string, string>; omissions: string[] }

type Part = { slide: Slide; number: number; tokens: number }

/** The answer has about as many tokens as the texts, and some for JSON. */
const shareOfOutput = 0.6

/** Better texts of all slides with text, in as many requests as the limits of an answer need. */
export async function refineSlides(
  ctx: Ctx,
  content: Content,
  options: AnswerOptions,
  onProgress: (share: number) => void = () => {},
): Promise<RefinedTexts> {
  const { inputTokensMax, outputTokensMax } = ctx.cfg.ai
  const tokensMax = Math.floor(Math.min(inputTokensMax, outputTokensMax * shareOfOutput))
  const { batches, omissions } = batchesOf(content.slides, tokensMax)
  const texts = new Map<string, string>()
  for (const [i, batch] of batches.entries()) {
    const sent = batch.map(({ slide, number }) => ({ number, text: slide.content }))
    const { slides } = await answerJson(ctx, storyRefine(content, sent), options)
    for (const { slide, number } of batch) {
      const better = slides.find((one) => one.number === number)?.content.trim()
      if (better && better !== slide.content) texts.set(slide.id, better)
    }
    onProgress((i + 1) / batches.length)
  }
  return { texts, omissions }
}

function batchesOf(slides: Slide[], tokensMax: number) {
  const batches: Part[][] = []
  const omissions: string[] = []
  let left = 0
  for (const [i, slide] of slides.entries()) {
    if (!slide.content.trim()) continue
    const part = { slide, number: i + 1, tokens: estimateTokens(slide.content) }
    if (part.tokens > tokensMax) {
      omissions.push(`slide ${part.number}: its text is too long to refine`)
      continue
    }
    if (part.tokens > left) {
      batches.push([])
      left = tokensMax
    }
    batches.at(-1)?.push(part)
    left -= part.tokens
  }
  return { batches, omissions }
}
