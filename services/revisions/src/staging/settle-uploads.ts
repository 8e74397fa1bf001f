import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { settleOrphans } from './orphans.js'

/** Removes the staged objects of interrupted calls. Also runs at the start. */
export const settleUploads: Periodic<Ctx> = {
  name: 'settle-uploads',
  everyMs: 15 * 60_000,
  async run(ctx) {
    await settleOrphans(ctx, 'own')
    await settleOrphans(ctx, 'custom')
  },
}
