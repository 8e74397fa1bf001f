import { forward, requireUser } from '@figbase/kit/rpc'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { requireAi } from '../insight/ai-state.js'
import { wholeAnswer } from '../insight/answer.js'
import { readCheckedFigure } from '../insight/read-checked-figure.js'
import { requestOptions } from '../insight/request-options.js'
import { aiFailed } from '../model/errors.js'
import { describe as describePrompt } from '../prompts/describe.js'
import type { InsightImpl } from '../routes.js'

const charsMax = 5000

export function describe(ctx: Ctx): InsightImpl['describe'] {
  return async ({ revisionId: id }, call) => {
    requireUser(call)
    const as = forward(call)
    await requireAi(ctx, '', as)
    // Before the model is asked, because the description could not be saved.
    const type = NodeType.FIGURE_REVISION
    await ctx.catalog.checkAccess({ id, permission: Permission.UPDATE, type }, as)
    const figure = await readCheckedFigure(ctx, 'figure_revision', id, as)
    const options = await requestOptions(ctx, call, figure.workspaceId)
    const response = await wholeAnswer(ctx, describePrompt(figure), options)
    const description = storable(response)
    if (!description) throw aiFailed()
    await ctx.revisions.describeRevision({ id, description }, as)
    return {}
  }
}

/** Without control characters and halves of characters, which no text of a revision may have. */
const storable = (text: string) =>
  Buffer.from(
    text
      .replace(/[^\P{Cc}\n\t]/gu, '')
      .trim()
      .slice(0, charsMax),
  ).toString()
