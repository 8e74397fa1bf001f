import type { MessageInitShape } from '@bufbuild/protobuf'
import { forward, requireUser } from '@figbase/kit/rpc'
import type { AskResponseSchema } from '@figbase/proto/insight'
import type { Ctx } from '../context.js'
import { requireAi } from '../insight/ai-state.js'
import { type Answered, answer } from '../insight/answer.js'
import { findPayer } from '../insight/payer.js'
import { questionOf } from '../insight/question.js'
import type { InsightImpl } from '../routes.js'

export function ask(ctx: Ctx): InsightImpl['ask'] {
  return async function* (req, call) {
    const username = requireUser(call)
    const as = forward(call)
    const model = await requireAi(ctx, req.model, as)
    const { prompt, workspaceId, omissions } = await questionOf(ctx, req, call)
    const payer = await findPayer(ctx, username, workspaceId, as)
    const options = { payer, model, signal: call.signal }
    // `for await` leaves the answer together with its reader, so that it is settled then.
    for await (const part of withResult(answer(ctx, prompt, options))) {
      if (part.type === 'accepted') yield { event: { case: 'started', value: {} } }
      else if (part.type === 'text') yield { event: { case: 'delta', value: part.text } }
      else yield* endOf(part.answered, { model, omissions })
    }
  }
}

async function* withResult(stream: ReturnType<typeof answer>) {
  const answered = yield* stream
  yield { type: 'answered' as const, answered }
}

function* endOf(
  { response, cost, isComplete }: Answered,
  { model, omissions }: { model: string; omissions: string[] },
): Generator<MessageInitShape<typeof AskResponseSchema>> {
  if (cost) {
    const { tokens, isEstimate } = cost
    const usage = { inputTokens: tokens.input, outputTokens: tokens.output, isEstimate }
    yield { event: { case: 'usage', value: usage } }
  }
  const cut = isComplete ? [] : ['answer: the model cut it, for example at its maximum length']
  const result = { response, model, isCached: !cost, omissions: [...omissions, ...cut] }
  yield { event: { case: 'done', value: result } }
}
