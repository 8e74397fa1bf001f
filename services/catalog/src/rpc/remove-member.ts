import type { ServiceImpl } from '@connectrpc/connect'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { subjectOf } from '../domain/subject.js'
import { deleteGrant } from '../queries/grants.js'
import { authorizeContainer, withManagedContainer } from './authorize-container.js'
import { checkReplaceable } from './member-rules.js'
import { checkedUsername } from './usernames.js'

type Impl = ServiceImpl<typeof CatalogService>

export function removeMember(ctx: Ctx): Impl['removeMember'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const isLeaving = req.username === subject.username
    const permission = isLeaving ? Permission.VIEW : Permission.MANAGE
    const container = await authorizeContainer(ctx.db, req, subject, permission)
    const { id } = container
    const username = checkedUsername(req.username)
    const remove = async (tx: Tx) => {
      await checkReplaceable(tx, id, username)
      await deleteGrant(tx, id, 'member', username)
    }
    await withManagedContainer(ctx, container, subject, remove, permission)
    return {}
  }
}
