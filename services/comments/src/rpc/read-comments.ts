import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { listByIds } from '../queries/comments.js'
import type { Impl } from '../routes.js'
import { toComment } from '../wire.js'

const idsMax = 1000
/** Of at most COMMENT_BYTES_MAX each. */
const batchMax = 50

export function readComments({ db }: Ctx): Impl['readComments'] {
  return async function* ({ ids }, call) {
    requireSystem(call)
    if (ids.length > idsMax) throw invalid('ids', `must have at most ${idsMax} items`)
    if (!ids.every(isUuid)) throw invalid('ids', 'must be UUIDs')
    for (let from = 0; from < ids.length; from += batchMax) {
      for (const row of await listByIds(db, ids.slice(from, from + batchMax)))
        yield { comment: toComment(row) }
    }
  }
}
