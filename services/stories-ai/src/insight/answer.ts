import type { Ctx } from '../context.js'
import type { Tokens } from '../model/port.js'
import type { Prompt } from '../prompts/prompt.js'
import { findAnswer, insertAnswer } from '../queries/ai-answers.js'
import { answerHash } from './answer-hash.js'
import { type AnswerPart, type StreamOptions, streamAnswer } from './stream-answer.js'

export type Answered = {
  response: string
  /** Undefined for an answer that was served from an earlier request, which costs nothing. */
  cost: { tokens: Tokens; isEstimate: boolean } | undefined
  /** Not cut by the provider, for example at the maximum length. */
  isComplete: boolean
}

export type AnswerOptions = StreamOptions & {
  /** The task whose step it is: a later attempt of the task gets the same answer. */
  taskId?: string
}

/** Answers a prompt, from an earlier answer to the same request if there is one; yields the text as it arrives. */
export async function* answer(
  ctx: Ctx,
  prompt: Prompt<unknown>,
  options: AnswerOptions,
): AsyncGenerator<AnswerPart, Answered> {
  const { answerRetentionMs } = ctx.cfg.ai
  const scope = options.taskId ?? ''
  const hash = answerHash(prompt, options.model)
  const earlier = scope
    ? await findAnswer(ctx.db, scope, hash, stepRetentionMs)
    : await findAnswer(ctx.db, scope, hash, answerRetentionMs)
  if (earlier !== undefined) {
    yield { type: 'text', text: earlier }
    return { response: earlier, cost: undefined, isComplete: true }
  }
  const keep = (response: string) =>
    ctx
      .write((db) => insertAnswer(db, { scope, hash, prompt: versionOf(prompt), response }))
      // The answer is there.
      .catch((err: unknown) => ctx.log.error({ err }, 'storing an AI answer failed'))
  const isKept = scope !== '' || answerRetentionMs > 0
  const completion = yield* streamAnswer(ctx, prompt, { ...options, ...(isKept && { keep }) })
  const { text: response, tokens, isEstimate, isComplete } = completion
  return { response, cost: { tokens, isEstimate }, isComplete }
}

const versionOf = ({ name, version }: Prompt<unknown>) => `${name} ${version}`

/** A task is retried for less than this. */
export const stepRetentionMs = 7 * 86_400_000

/** The response without its parts. */
export async function wholeAnswer(
  ctx: Ctx,
  prompt: Prompt<unknown>,
  options: AnswerOptions,
): Promise<string> {
  const stream = answer(ctx, prompt, options)
  for (;;) {
    const { value, done } = await stream.next()
    if (done) return value.response
  }
}
