import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { deleteTree } from '../../delete-tree.js'
import { type Attribution, attributionOf } from '../../domain/attribution.js'
import { subjectFor } from '../../domain/subject.js'
import { typeOf } from '../../domain/types.js'
import { findAccess } from '../../queries/access.js'
import { lockNode } from '../../queries/locks.js'

import { endGrants, isDeletedWithOwner, listOwnedContainers } from '../../queries/people.js'
import type { PeopleImpl } from '../../routes.js'
import { checkedUsername } from '../usernames.js'

const namedMax = 20
const batchMax = 100

export function checkLeaving({ db }: Ctx): PeopleImpl['checkLeaving'] {
  return async (req, call) => {
    requireSystem(call)
    const containers = await listOwnedContainers(
      db,
      checkedUsername(req.username),
      'keeps',
      namedMax,
    )
    const keptBy = containers.map(({ id, type, name }) => ({
      id,
      type: typeOf(type),
      name: name ?? '',
    }))
    return { keptBy }
  }
}

export function leave(ctx: Ctx): PeopleImpl['leave'] {
  return async (req, call) => {
    requireSystem(call)
    const username = checkedUsername(req.username)
    const by = attributionOf(call, false, username)
    for (;;) {
      const containers = await listOwnedContainers(ctx.db, username, 'goes', batchMax)
      for (const { id } of containers) {
        call.signal.throwIfAborted()
        await deleteContainer(ctx, id, by)
      }
      if (containers.length < batchMax) break
    }
    await ctx.transact((tx) => endGrants(tx, username))
    return {}
  }
}

/** Deletes a container, unless other members joined it meanwhile. */
function deleteContainer(ctx: Ctx, id: string, by: Attribution): Promise<void> {
  const subject = subjectFor(by.actor)
  return ctx.transact(async (tx) => {
    if (!(await lockNode(tx, id)) || !(await isDeletedWithOwner(tx, by.actor, id))) return
    const node = await findAccess(tx, id, subject)
    if (node) await deleteTree(ctx, tx, node, by, { subject, isFinal: true })
  })
}
