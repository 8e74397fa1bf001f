import type { Periodic } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { deleteExpired } from '../queries/invitations.js'

/** Nobody sees an expired invitation: what goes is the address of who did not come. */
export const purgeInvitations: Periodic<Ctx> = {
  name: 'purge-invitations',
  everyMs: 3_600_000,
  run: ({ db }) => deleteExpired(db),
}
