import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { deleteExpiredSignIns } from '../queries/sign-ins.js'

export const purgeSignIns: Periodic<Ctx> = {
  name: 'forget-expired-sign-ins',
  everyMs: 3_600_000,
  run: async (ctx) => {
    await ctx.write(deleteExpiredSignIns)
  },
}
