import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { RevisionState } from '@figbase/proto/search'
import type { Ctx } from '../context.js'
import { readRevisionState } from '../queries/revision-states.js'
import type { Impl } from '../routes.js'

/** Permissions are checked by the call that reads the revision. */
export function getRevisionState({ db, similar }: Ctx): Impl['getRevisionState'] {
  return async ({ id, version, texts }) => {
    if (!isUuid(id)) throw invalid('id', 'must be a UUID')
    const embeds = (await similar).embedders !== undefined
    const { isPending, hasFailed } = await readRevisionState(db, { id, version, texts, embeds })
    if (isPending) return { state: RevisionState.PENDING }
    return { state: hasFailed ? RevisionState.FAILED : RevisionState.INDEXED }
  }
}
