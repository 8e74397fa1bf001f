import { defineJob } from '@figbase/kit'
import type { Ctx } from '../context.js'

export const mailMention = defineJob<Ctx, { commentId: string; username: string }>({
  name: 'mail-mention',
  attemptsMax: 25,
  timeoutMs: 60_000,
  run: async () => {},
})
