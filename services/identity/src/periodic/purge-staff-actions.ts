import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { deleteOldStaffActions } from '../queries/staff-actions.js'

export const purgeStaffActions: Periodic<Ctx> = {
  name: 'purge-staff-actions',
  everyMs: 3_600_000,
  run: ({ write, cfg }) => write((db) => deleteOldStaffActions(db, cfg.staffActionRetentionMs)),
}
