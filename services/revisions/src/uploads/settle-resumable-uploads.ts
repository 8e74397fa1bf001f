import type { Periodic } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { settleAllResumable } from './settle.js'

/** Removes resumable uploads that have expired, and what is left of those that have ended. */
export const settleResumableUploads: Periodic<Ctx> = {
  name: 'settle-resumable-uploads',
  everyMs: 60_000,
  run: settleAllResumable,
}
