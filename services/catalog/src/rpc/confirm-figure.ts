import type { ServiceImpl } from '@connectrpc/connect'
import { ConcurrentChange } from '@figbase/kit/db'
import { notFound } from '@figbase/kit/errors'
import { checkedText } from '@figbase/kit/text'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { attributionOf } from '../domain/attribution.js'
import { canonicalPayload } from '../domain/payload.js'
import { subjectOf } from '../domain/subject.js'
import { nounOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import { insertActivity } from '../queries/activity.js'
import { isSamePath, lockNode, lockPath } from '../queries/locks.js'
import { findNode } from '../queries/nodes.js'
import { confirmFigure as confirm } from '../queries/stale.js'
import { toNode } from '../wire.js'

type Impl = ServiceImpl<typeof CatalogService>

/** The entry of the log has the reason as it is: a longer text would be replaced by its digest. */
const reasonCharsMax = 400

export function confirmFigure(ctx: Ctx): Impl['confirmFigure'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const id = uuidOrNotFound(req.figureId, subject, 'figure')
    const node = await ctx.transact(async (tx) => {
      const found = await findAccess(tx, id, subject)
      const { lineage } = authorize(found, Permission.UPDATE, subject, 'figure')
      const reason = checkedText('reason', req.reason.trim(), {
        charsMin: 1,
        charsMax: reasonCharsMax,
      })
      const path = await lockPath(tx, lineage.slice(0, -1))
      if (!path || !(await lockNode(tx, id))) throw notFound(nounOf.figure)
      const figure = await findNode(tx, id, subject)
      if (!figure) throw notFound(nounOf.figure)
      if (!isSamePath(figure.lineage, lineage)) throw new ConcurrentChange('the node was moved')
      const at = await confirm(tx, id)
      if (at === undefined) return figure
      const target = { id, type: figure.type, name: figure.name }
      await insertActivity(tx, {
        id: ctx.newOrderedId(),
        at,
        action: 'update',
        ...attributionOf(call, req.silent),
        target,
        lineage,
        places: [...path, target],
        payload: canonicalPayload({ note: 'still_right', reason }),
      })
      ctx.wakeRelay(tx)
      return { ...figure, is_stale: false }
    })
    return { figure: toNode(node) }
  }
}
