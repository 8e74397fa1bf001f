import { requireSystem } from '@figbase/kit'
import type { Ctx } from '../../context.js'
import { deleteTree } from '../../deleting.js'
import { type By, byOf } from '../../domain/by.js'
import { userNamed } from '../../domain/subject.js'
import { typeOf } from '../../domain/types.js'
import { findAccess } from '../../queries/nodes.js'
import { holdNode } from '../../queries/organizations.js'
import { endGrants, goesWith, listHeld } from '../../queries/people.js'
import type { PeopleImpl } from '../../routes.js'
import { checkedUsername } from '../known-user.js'

const namedMax = 20
const batchMax = 100

export function checkLeaving({ db }: Ctx): PeopleImpl['checkLeaving'] {
  return async (req, call) => {
    requireSystem(call)
    const containers = await listHeld(db, checkedUsername(req.username), 'keeps', namedMax)
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
    const by = byOf(call, false, username)
    for (;;) {
      const containers = await listHeld(ctx.db, username, 'goes', batchMax)
      for (const { id } of containers) {
        call.signal.throwIfAborted()
        await deleteOwn(ctx, id, by)
      }
      if (containers.length < batchMax) break
    }
    await ctx.transact((tx) => endGrants(tx, username))
    return {}
  }
}

/** Unless others came meanwhile, to whom it is left. */
function deleteOwn(ctx: Ctx, id: string, by: By): Promise<void> {
  const subject = userNamed(by.actor)
  return ctx.transact(async (tx) => {
    if (!(await holdNode(tx, id)) || !(await goesWith(tx, by.actor, id))) return
    const node = await findAccess(tx, id, subject)
    if (node) await deleteTree(ctx, tx, node, by, { subject, isFinal: true })
  })
}
