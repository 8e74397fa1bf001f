import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { deleteExpired } from '../queries/invitations.js'

/** Expired invitations are already invisible; deleting them removes the e-mail addresses. */
export const purgeInvitations: Periodic<Ctx> = {
  name: 'purge-invitations',
  everyMs: 3_600_000,
  run: ({ db }) => deleteExpired(db),
}
