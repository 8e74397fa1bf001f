import type { Periodic } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { settleOrphans } from '../upload/orphans.js'
import { collectBlobs } from './collect-blobs.js'

/** Also runs at the start. */
export const collectGarbage: Periodic<Ctx> = {
  name: 'collect-garbage',
  everyMs: 15 * 60_000,
  run: removeGarbage,
}

/** Removes what interrupted calls left behind. */
export async function removeGarbage(ctx: Ctx): Promise<void> {
  await settleOrphans(ctx)
  await collectBlobs(ctx)
}
