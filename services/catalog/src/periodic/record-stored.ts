import type { Periodic } from '@figbase/kit/service'
import { lastPeriods } from '@figbase/kit/text'
import type { Ctx } from '../context.js'
import { recordStored as recordPage } from '../queries/monthly-usage.js'

const workspacesMax = 1000
const lowestId = '00000000-0000-0000-0000-000000000000'

/** Keeps the most that each workspace stored in a month. */
export const recordStored: Periodic<Ctx> = {
  name: 'record-stored',
  everyMs: 3_600_000,
  async run({ db }, signal) {
    const [period = ''] = lastPeriods(1)
    let after: string | null = lowestId
    while (after && !signal.aborted) {
      after = await recordPage(db, { period, after, limit: workspacesMax })
    }
  },
}
