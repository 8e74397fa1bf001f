import { defineJob } from '@figbase/kit/jobs'
import type { Ctx } from '../context.js'
import { mailPasswordResets } from '../mails.js'

/** Runs outside the request, so that the response time does not reveal whether the address is known. */
export const mailPasswordResetsJob = defineJob<Ctx, { email: string }>({
  name: 'mail-password-resets',
  attemptsMax: 10,
  timeoutMs: 30_000,
  run: (ctx, { email }) => ctx.transact((tx) => mailPasswordResets(ctx, tx, email)),
})
