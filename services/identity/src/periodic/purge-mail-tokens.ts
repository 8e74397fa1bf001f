import type { Periodic } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { deleteExpired } from '../queries/mail-tokens.js'

export const purgeMailTokens: Periodic<Ctx> = {
  name: 'purge-mail-tokens',
  everyMs: 3_600_000,
  run: ({ db }) => deleteExpired(db),
}
