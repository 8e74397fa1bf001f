import type { ServiceImpl } from '@connectrpc/connect'
import { notFound } from '@figbase/kit/errors'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { subjectOf } from '../domain/subject.js'
import { nounOf } from '../domain/types.js'
import { tooManyShares } from '../errors.js'
import { countShares, deleteGrant, insertNotifiedGrant } from '../queries/grants.js'
import { lockNode } from '../queries/locks.js'

import { authorizeShareable } from './authorize-shareable.js'
import { existingUsername } from './usernames.js'

type Impl = ServiceImpl<typeof CatalogService>

export function setUserShare(ctx: Ctx): Impl['setUserShare'] {
  return async (req, call) => {
    const caller = subjectOf(call)
    const { username: by } = caller
    const { id, type } = await authorizeShareable(ctx.db, req, caller)
    const subject = await existingUsername(ctx, req.username, call)
    if (!req.enabled) {
      await deleteGrant(ctx.db, id, 'share', subject)
      return {}
    }
    await ctx.transact(async (tx) => {
      if (!(await lockNode(tx, id))) throw notFound(nounOf[type])
      await checkShareLimit(ctx, tx, id, subject)
      const grant = { subject, nodeId: id, kind: 'share', role: 'viewer', by } as const
      await insertNotifiedGrant(tx, grant, ctx.newOrderedId())
      ctx.wakeRelay(tx)
    })
    return {}
  }
}

async function checkShareLimit({ cfg }: Ctx, tx: Tx, id: string, subject: string) {
  const { shares, is_shared } = await countShares(tx, id, subject)
  if (!is_shared && shares >= cfg.sharesMax) throw tooManyShares(cfg.sharesMax)
}
