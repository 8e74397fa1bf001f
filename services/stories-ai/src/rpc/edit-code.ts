import type { CallOptions, HandlerContext } from '@connectrpc/connect'
import { forward, requireUser } from '@figbase/kit/rpc'
import type { EditCodeRequest } from '@figbase/proto/code-editor'
import { checkCode } from '../code-editor/check-code.js'
import { parseEdit, parsePicture } from '../code-editor/parse-edit.js'
import { runAgent } from '../code-editor/run-agent.js'
import type { Workbench } from '../code-editor/tools.js'
import type { Ctx } from '../context.js'
import { requireAi } from '../insight/ai-state.js'
import { checkFigureAccess } from '../insight/figure-access.js'
import { readCheckedFigure } from '../insight/read-checked-figure.js'
import { requestOptions } from '../insight/request-options.js'
import { codeEdit } from '../prompts/code-edit.js'
import { marked } from '../prompts/figure-data.js'
import type { CodeEditorImpl } from '../routes.js'

export function editCode(ctx: Ctx): CodeEditorImpl['editCode'] {
  return async (req, call) => {
    requireUser(call)
    const as = forward(call)
    await requireAi(ctx, req.model, as)
    await checkFigureAccess(ctx, 'figure_revision', req.revisionId, as)
    const { code, packages, conversation } = parseEdit(req, ctx.cfg.ai)
    const figure = await figureOf(ctx, req, as)
    const language = figure.isR ? 'r' : 'python'
    const { signal } = call
    const check = (text: string) =>
      checkCode(ctx.checkPool, { language, code: text, packages }, signal)
    const { codeBytesMax } = ctx.cfg.ai
    const readSchema = () => readSchemaOf(ctx, req.revisionId, call)
    const bench: Workbench = { code, codeBytesMax, readSchema, check }
    const prompt = codeEdit({ figure: figure.shown, language, code, packages, conversation })
    const options = await requestOptions(ctx, call, figure.shown.workspaceId, req.model)
    const { content, calls, stopped } = await runAgent(ctx, prompt, bench, options)
    const problem = await check(bench.code)
    const error = problem ?? stopped
    return {
      content,
      code: bench.code,
      valid: problem === null,
      ...(error && { error }),
      toolCalls: calls.map(({ name, input, result }) => ({
        name,
        inputJson: JSON.stringify(input) ?? 'null',
        result,
      })),
    }
  }
}

/** What the model gets of the figure at the beginning: no stored code, because the request has the current one. */
async function figureOf(
  ctx: Ctx,
  { revisionId, figureImage }: Pick<EditCodeRequest, 'revisionId' | 'figureImage'>,
  as: CallOptions,
) {
  const given = figureImage.length > 0 ? await parsePicture(figureImage, ctx.cfg.ai) : undefined
  const figure = await readCheckedFigure(ctx, 'figure_revision', revisionId, as)
  const shown = {
    ...figure,
    parts: figure.parts.filter(({ kind }) => kind === 'about'),
    omissions: [],
    ...(given && { pictures: [given] }),
  }
  const code = figure.parts.filter(({ kind }) => kind === 'code')
  return { shown, isR: code.some(({ name }) => /\.(r|rmd)$/i.test(name ?? '')) }
}

/** The permission is checked again, because the steps take their time. */
async function readSchemaOf(ctx: Ctx, revisionId: string, call: HandlerContext): Promise<string> {
  const figure = await readCheckedFigure(ctx, 'figure_revision', revisionId, forward(call))
  const tables = figure.parts.filter(({ kind }) => kind === 'table')
  return tables.length > 0 ? tables.map(marked).join('\n\n') : 'the figure has no tables'
}
