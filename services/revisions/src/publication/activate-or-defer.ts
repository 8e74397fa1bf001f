import type { HandlerContext } from '@connectrpc/connect'
import { forwardDetached } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import type { NewData, RevisionRow } from '../db/schema.js'
import type { RevisionKind } from '../domain/revision-kind.js'
import { aboutParent, isFinal } from '../errors.js'
import { assumedNode, type Common } from '../wire.js'
import { activateWithRetry } from './activate.js'

export type CommittedDraft = {
  revision: RevisionRow
  data: NewData[]
  kind: RevisionKind
  silent: boolean
  assetRevisionIds: string[]
}

const attemptMs = 5000

/**
 * Activates a revision. If catalog does not answer, the revision is committed and the job will activate it.
 * The caller gets the revision as created, because an error would make them publish it twice.
 */
export async function activateOrDefer(
  ctx: Ctx,
  { revision, data, kind, silent, assetRevisionIds }: CommittedDraft,
  call: HandlerContext,
): Promise<Common> {
  const { id, revision_index: position, version } = revision
  const uses =
    kind.type === 'figure_revision'
      ? { id, version, asset_revision_ids: assetRevisionIds }
      : undefined
  const activation = { id, position, data, silent, uses }
  try {
    return await activateWithRetry(ctx, activation, () => forwardDetached(call, attemptMs))
  } catch (error) {
    if (isFinal(error)) throw aboutParent(error, kind)
    ctx.log.warn({ err: error, id }, 'activation deferred to the job')
    return assumedNode(revision, data)
  }
}
