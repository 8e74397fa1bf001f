import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { forward, requireUser } from '@figbase/kit/rpc'
import type { FigureCandidate } from '@figbase/proto/insight'
import type { Ctx } from '../context.js'
import { requireAi } from '../insight/ai-state.js'
import { answerJson } from '../insight/answer-json.js'
import { readCheckedFigure } from '../insight/read-checked-figure.js'
import { requestOptions } from '../insight/request-options.js'
import { scaledPng } from '../insight/scaled-png.js'
import { estimateTokens } from '../model/estimate-tokens.js'
import { autoAssign } from '../prompts/auto-assign.js'
import type { InsightImpl } from '../routes.js'

/** The rest is for the names of the candidates. */
const shareOfRevision = 0.6
/** Of the mark around a name. */
const tokensPerMark = 16

export function chooseFigure(ctx: Ctx): InsightImpl['chooseFigure'] {
  return async ({ revisionId, picture, candidates, taskId }, call) => {
    requireUser(call)
    if (!isUuid(taskId)) throw invalid('task_id', 'must be a UUID')
    const as = forward(call)
    await requireAi(ctx, '', as)
    const { inputTokensMax, pictureSizePx } = ctx.cfg.ai
    const tokensMax = Math.floor(inputTokensMax * shareOfRevision)
    const read = await readCheckedFigure(ctx, 'revision_id', revisionId, as, tokensMax)
    const pictures = picture.length > 0 ? [await scaledPng(picture, pictureSizePx)] : read.pictures
    const named = withinTokens(candidates, inputTokensMax - tokensMax)
    const prompt = autoAssign(
      { ...read, pictures },
      named.map(({ name }) => name),
    )
    const options = await requestOptions(ctx, call, read.workspaceId)
    const { figure } = await answerJson(ctx, prompt, { ...options, taskId })
    return { figureId: named[figure - 1]?.id ?? '' }
  }
}

/** The first ones whose names fit. */
function withinTokens(candidates: FigureCandidate[], tokensMax: number): FigureCandidate[] {
  let left = tokensMax
  const end = candidates.findIndex(({ name }) => {
    left -= estimateTokens(name) + tokensPerMark
    return left < 0
  })
  return end < 0 ? candidates : candidates.slice(0, end)
}
