import type { Periodic } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { forgetExpired } from '../queries/revoked-tokens.js'

export const forgetRevokedTokens: Periodic<Ctx> = {
  name: 'forget-revoked-tokens',
  everyMs: 3_600_000,
  run: async (ctx) => {
    await ctx.write(forgetExpired)
  },
}
