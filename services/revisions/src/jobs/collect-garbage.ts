import type { Periodic } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { settleOrphans } from '../upload/orphans.js'
import { collectBlobs } from './collect-blobs.js'

/** What interrupted calls left behind. Also runs at the start. */
export const collectGarbage: Periodic<Ctx> = {
  name: 'collect-garbage',
  everyMs: 15 * 60_000,
  async run(ctx) {
    await settleOrphans(ctx)
    await collectBlobs(ctx)
  },
}
