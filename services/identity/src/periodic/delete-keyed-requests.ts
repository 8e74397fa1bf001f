import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { deleteKeyedRequests } from '../queries/keyed-requests.js'

const rowsMax = 10_000

export const deleteOldKeyedRequests: Periodic<Ctx> = {
  name: 'delete-keyed-requests',
  everyMs: 600_000,
  async run({ db, cfg }) {
    while ((await deleteKeyedRequests(db, cfg.keyRetentionMs, rowsMax)) === rowsMax);
  },
}
