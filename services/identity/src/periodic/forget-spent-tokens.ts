import type { Periodic } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { forgetExpired } from '../queries/spent-tokens.js'

export const forgetSpentTokens: Periodic<Ctx> = {
  name: 'forget-spent-tokens',
  everyMs: 3_600_000,
  run: async (ctx) => {
    await ctx.write(forgetExpired)
  },
}
