import type { HandlerContext } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { forward } from '@figbase/kit/rpc'
import type { AskRequest, Comparison, FigureQuestion, TextQuestion } from '@figbase/proto/insight'
import type { Ctx } from '../context.js'
import { ask } from '../prompts/ask.js'
import { compare } from '../prompts/compare.js'
import type { Prompt } from '../prompts/prompt.js'
import { textOnly } from '../prompts/text-only.js'
import { parsePrompt } from './parse-prompt.js'
import { payingWorkspace } from './paying-workspace.js'
import { readCheckedFigure } from './read-checked-figure.js'

/** What is asked, and whose plan counts. */
export type Question = { prompt: Prompt; workspaceId: string; omissions: string[] }

export function questionOf(
  ctx: Ctx,
  { question }: AskRequest,
  call: HandlerContext,
): Promise<Question> {
  if (question.case === 'figure') return aboutFigure(ctx, question.value, call)
  if (question.case === 'comparison') return comparison(ctx, question.value, call)
  if (question.case === 'text') return aboutText(ctx, question.value, call)
  throw invalid('', 'has no question')
}

async function aboutFigure(
  ctx: Ctx,
  { revisionId, prompt }: FigureQuestion,
  call: HandlerContext,
): Promise<Question> {
  const question = parsePrompt('prompt', prompt, ctx.cfg.ai)
  const figure = await readCheckedFigure(ctx, 'figure_revision', revisionId, forward(call))
  const { workspaceId, omissions } = figure
  return { prompt: ask(figure, question), workspaceId, omissions }
}

/** Each figure gets half of the tokens. */
async function comparison(
  ctx: Ctx,
  { leftRevisionId, rightRevisionId, prompt }: Comparison,
  call: HandlerContext,
): Promise<Question> {
  const question = prompt ? parsePrompt('prompt', prompt, ctx.cfg.ai) : ''
  const tokensMax = Math.floor(ctx.cfg.ai.inputTokensMax / 2)
  const read = (field: string, id: string) =>
    readCheckedFigure(ctx, field, id, forward(call), tokensMax)
  const left = await read('left_revision', leftRevisionId)
  const right = await read('right_revision', rightRevisionId)
  const omissions = [
    ...left.omissions.map((text) => `left ${text}`),
    ...right.omissions.map((text) => `right ${text}`),
  ]
  const { workspaceId } = left
  return { prompt: compare(left, right, question), workspaceId, omissions }
}

async function aboutText(
  ctx: Ctx,
  { text, prompt, workspaceId: named }: TextQuestion,
  call: HandlerContext,
): Promise<Question> {
  const question = parsePrompt('prompt', prompt, ctx.cfg.ai)
  const checked = parsePrompt('text', text, ctx.cfg.ai)
  const workspaceId = await payingWorkspace(ctx, named, call)
  return { prompt: textOnly(checked, question), workspaceId, omissions: [] }
}
