import { defineJob } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { mailPasswordResets } from '../mails.js'

/** Apart from the request, which takes as long whether anybody has the address or not. */
export const mailPasswordResetsJob = defineJob<Ctx, { email: string }>({
  name: 'mail-password-resets',
  attemptsMax: 10,
  timeoutMs: 30_000,
  run: (ctx, { email }) => ctx.transact((tx) => mailPasswordResets(ctx, tx, email)),
})
