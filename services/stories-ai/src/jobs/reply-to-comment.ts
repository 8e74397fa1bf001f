import { actAs, user } from '@figbase/kit/rpc'
import { defineTaskJob, TaskFailed, type TaskHandle, TaskRevoked } from '@figbase/kit/tasks'
import type { Ctx } from '../context.js'
import { requireAi } from '../insight/ai-state.js'
import { forUsers, isLastAttempt, patiently } from '../insight/ai-task.js'
import { wholeAnswer } from '../insight/answer.js'
import { findPayer } from '../insight/payer.js'
import { type Reply, replyToComment } from '../job-names.js'
import { commentReply } from '../prompts/comment-reply.js'
import { failedText, fillReply } from '../replies/fill-reply.js'
import { newestOfThread } from '../replies/newest-of-thread.js'
import { readTarget } from '../replies/read-target.js'
import { readThread } from '../replies/read-thread.js'

const { attemptsMax } = replyToComment

/** Fills a reply by AI; if that fails, with the reason. */
export const replyToCommentJob = defineTaskJob(replyToComment, {
  timeoutMs: 30 * 60_000,
  concurrencyMax: 8,
  async run(ctx: Ctx, payload, task) {
    const reply = { ...payload, id: payload.replyId }
    try {
      await fillReply(ctx, reply, await answerTo(ctx, payload, task))
      return { comment_id: reply.id }
    } catch (thrown) {
      const error = forUsers(thrown, task, attemptsMax)
      if (isLastAttempt(error, task, attemptsMax))
        await fillReply(ctx, reply, reasonOf(error, task))
      throw error
    }
  },
})

async function answerTo(ctx: Ctx, payload: Reply, task: TaskHandle): Promise<string> {
  const { parentCommentId, replyId: id, username, model } = payload
  const { signal } = task
  const as = { ...actAs(user(username)), signal }
  // The request does it, too, unless its process ended.
  if (task.attempt === 1) await ctx.comments.createAiResponse({ parentCommentId, id }, as)
  await requireAi(ctx, model, as)
  // Fails for a reply that was deleted, or that a killed attempt did not create: it needs no text.
  const { comments, target } = await readThread(ctx, id, as)
  const reply = comments.pop()
  if (reply?.content) return reply.content
  const payer = await findPayer(ctx, username, target.workspaceId, as)
  const tokensMax = Math.floor(ctx.cfg.ai.inputTokensMax / 2)
  const about = await readTarget(ctx, target, tokensMax, as)
  const prompt = commentReply(about, newestOfThread(comments, tokensMax))
  const options = { payer, model, signal, taskId: task.id }
  const text = (await patiently(task, () => wholeAnswer(ctx, prompt, options))).trim()
  if (!text) throw new TaskFailed('the language model said nothing')
  return text
}

function reasonOf(error: unknown, { signal }: TaskHandle): string {
  if (error instanceof TaskFailed) return failedText(error.message)
  const isCancelled = signal.aborted && signal.reason instanceof TaskRevoked
  return failedText(isCancelled ? 'the task was cancelled' : 'something went wrong on the server')
}
