import { forward, requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { linesIn, numbered } from '../domain/numbered-lines.js'
import { requireAi } from '../insight/ai-state.js'
import { answerJson } from '../insight/answer-json.js'
import { readCheckedFigure } from '../insight/read-checked-figure.js'
import { requestOptions } from '../insight/request-options.js'
import { figureCode } from '../prompts/figure-code.js'
import type { InsightImpl } from '../routes.js'

/** The numbers of the lines need the rest. */
const codeShare = 0.7

export function extractCode(ctx: Ctx): InsightImpl['extractCode'] {
  return async ({ revisionId }, call) => {
    requireUser(call)
    const as = forward(call)
    await requireAi(ctx, '', as)
    const tokensMax = Math.floor(ctx.cfg.ai.inputTokensMax * codeShare)
    const figure = await readCheckedFigure(ctx, 'figure_revision', revisionId, as, tokensMax)
    const { parts, omissions } = figure
    const code = parts.filter(({ kind }) => kind === 'code')
    if (code.length === 0) return { code: '', omissions }
    const rest = parts.filter(({ kind }) => kind !== 'code')
    const lines = code.map(({ kind, name = '', text }, index) => ({
      kind,
      name: `part ${index + 1} ${name}`,
      text: numbered(text),
    }))
    const prompt = figureCode({ ...figure, parts: [...rest, ...lines] })
    const options = await requestOptions(ctx, call, figure.workspaceId)
    const { ranges } = await answerJson(ctx, prompt, options)
    return { code: linesIn(code, ranges), omissions }
  }
}
