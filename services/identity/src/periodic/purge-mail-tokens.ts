import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { deleteExpiredMailTokens } from '../queries/mail-tokens.js'

export const purgeMailTokens: Periodic<Ctx> = {
  name: 'purge-mail-tokens',
  everyMs: 3_600_000,
  run: ({ db }) => deleteExpiredMailTokens(db),
}
