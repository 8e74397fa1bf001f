import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { deleteExpiredSpentTokens } from '../queries/spent-tokens.js'

export const purgeSpentTokens: Periodic<Ctx> = {
  name: 'forget-spent-tokens',
  everyMs: 3_600_000,
  run: async (ctx) => {
    await ctx.write(deleteExpiredSpentTokens)
  },
}
