import type { Periodic } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { removeExpired } from '../queries/spent-tokens.js'

/** What has expired is refused as such. */
export const removeSpentTokens: Periodic<Ctx> = {
  name: 'remove-spent-tokens',
  everyMs: 3_600_000,
  run: (ctx) => ctx.write(removeExpired),
}
