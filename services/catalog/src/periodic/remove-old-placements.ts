import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { deleteOldPlacements } from '../queries/places.js'

/** Moves and restorations are read for an hour. */
export const removeOldPlacements: Periodic<Ctx> = {
  name: 'remove-old-placements',
  everyMs: 3_600_000,
  run: ({ db }) => deleteOldPlacements(db),
}
