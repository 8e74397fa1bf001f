import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { stepRetentionMs } from '../insight/answer.js'
import { deleteOldAnswers } from '../queries/ai-answers.js'

const batch = 500

/** Deletes answers that may serve no later request, and steps of tasks that ended long ago. */
export const deleteOldAnswersPeriodically: Periodic<Ctx> = {
  name: 'delete-old-ai-answers',
  everyMs: 3_600_000,
  async run(ctx, signal) {
    const ageMs = Math.max(ctx.cfg.ai.answerRetentionMs, stepRetentionMs)
    for (let found = batch; found === batch; signal.throwIfAborted()) {
      found = await ctx.write((db) => deleteOldAnswers(db, ageMs, batch))
    }
  },
}
