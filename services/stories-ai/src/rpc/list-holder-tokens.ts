import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireSystem } from '@figbase/kit/rpc'
import { parsePeriod } from '@figbase/kit/text'
import type { Ctx } from '../context.js'
import { sumByHolder } from '../queries/ai-usage.js'
import type { UsageImpl } from '../routes.js'

const holdersMax = 1000

export function listHolderTokens({ db }: Ctx): UsageImpl['listHolderTokens'] {
  return async ({ holderIds, period }, call) => {
    requireSystem(call)
    if (holderIds.length > holdersMax) {
      throw invalid('holder_ids', `must have at most ${holdersMax} items`)
    }
    if (!holderIds.every(isUuid)) throw invalid('holder_ids', 'must be UUIDs')
    const rows = await sumByHolder(db, holderIds, parsePeriod(period).name)
    return { items: rows.map(({ holder_id: holderId, tokens }) => ({ holderId, tokens })) }
  }
}
