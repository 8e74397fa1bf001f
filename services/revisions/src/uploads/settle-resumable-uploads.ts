import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { settleAllResumable } from './settle.js'

/** Removes expired resumable uploads, and what is left of ended ones. */
export const settleResumableUploads: Periodic<Ctx> = {
  name: 'settle-resumable-uploads',
  everyMs: 60_000,
  run: settleAllResumable,
}
