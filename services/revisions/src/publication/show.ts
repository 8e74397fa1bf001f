import type { HandlerContext } from '@connectrpc/connect'
import { forwardDetached } from '@figbase/kit'
import type { Ctx } from '../context.js'
import type { NewData, RevisionRow } from '../db/schema.js'
import type { RevisionKind } from '../domain/revision-kind.js'
import { aboutParent, isFinal } from '../errors.js'
import { assumedNode, type Common } from '../wire.js'
import { activatePatiently } from './activate.js'

export type ToShow = { revision: RevisionRow; data: NewData[]; kind: RevisionKind; silent: boolean }

const attemptMs = 5000

/**
 * Activates. When catalog does not answer, the revision is committed all the same and the job
 * will show it: the caller gets it as created, for it would only send it once more.
 */
export async function show(
  ctx: Ctx,
  { revision, data, kind, silent }: ToShow,
  call: HandlerContext,
): Promise<Common> {
  const { id, revision_index: position } = revision
  const activation = { id, position, leaves: data, silent }
  try {
    return await activatePatiently(ctx, activation, () => forwardDetached(call, attemptMs))
  } catch (error) {
    if (isFinal(error)) throw aboutParent(error, kind)
    ctx.log.warn({ err: error, id }, 'left to the job to activate')
    return assumedNode(revision, data)
  }
}
