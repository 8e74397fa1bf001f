import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { listCommented, readText } from '../queries/comments.js'
import type { Impl } from '../routes.js'

const targetsMax = 1000
const charsMax = 65_536

export function readTexts({ db }: Ctx): Impl['readTexts'] {
  return async function* ({ targetIds }, call) {
    requireSystem(call)
    if (targetIds.length > targetsMax)
      throw invalid('target_ids', `must have at most ${targetsMax} items`)
    for (const targetId of await listCommented(db, targetIds.filter(isUuid))) {
      const text = await readText(db, targetId, charsMax)
      if (text) yield { targetId, text }
    }
  }
}
