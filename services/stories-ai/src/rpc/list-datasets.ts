import { forward, requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { externalData } from '../figure-context/external-data.js'
import { requireAi } from '../insight/ai-state.js'
import { answerJson } from '../insight/answer-json.js'
import { readCheckedFigure } from '../insight/read-checked-figure.js'
import { requestOptions } from '../insight/request-options.js'
import { datasets } from '../prompts/datasets.js'
import type { InsightImpl } from '../routes.js'

export function listDatasets(ctx: Ctx): InsightImpl['listDatasets'] {
  return async ({ revisionId }, call) => {
    requireUser(call)
    const as = forward(call)
    await requireAi(ctx, '', as)
    const figure = await readCheckedFigure(ctx, 'figure_revision', revisionId, as)
    const { omissions } = figure
    const stored = await externalData(ctx, figure.revisionId, as)
    if (!figure.parts.some(({ kind }) => kind === 'code')) {
      return { externalData: stored, aiInputs: [], aiOutputs: [], omissions }
    }
    const options = await requestOptions(ctx, call, figure.workspaceId)
    const { inputs: aiInputs, outputs: aiOutputs } = await answerJson(
      ctx,
      datasets(figure),
      options,
    )
    return { externalData: stored, aiInputs, aiOutputs, omissions }
  }
}
