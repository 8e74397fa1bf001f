import type { Periodic } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { forgetExpiredSignIns } from '../queries/sign-ins.js'

export const forgetSignIns: Periodic<Ctx> = {
  name: 'forget-expired-sign-ins',
  everyMs: 3_600_000,
  run: async (ctx) => {
    await ctx.write(forgetExpiredSignIns)
  },
}
