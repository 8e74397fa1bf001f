import type { ServiceImpl } from '@connectrpc/connect'
import { notFound } from '@figbase/kit'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { byOf } from '../domain/by.js'
import { canonicalPayload } from '../domain/payload.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf, nounOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { primaryStays, versionMismatch } from '../errors.js'
import { insertActivity } from '../queries/activity.js'
import { countWith, negative } from '../queries/counts.js'
import { lockedNode, lockPath } from '../queries/locks.js'
import { findAccess } from '../queries/nodes.js'
import { dissolve } from '../queries/organizations.js'
import { insertDeltas, markDeleted } from '../queries/writes.js'

type Impl = ServiceImpl<typeof CatalogService>

/** One tombstone, whatever the size of what is below. The workspaces of an organization stay. */
export function deleteNode(ctx: Ctx): Impl['deleteNode'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const { username } = subject
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, subject, kind)
    await ctx.transact(async (tx) => {
      const found = await findAccess(tx, id, subject)
      const before = authorize(found, Permission.DELETE, subject, kind)
      const { type, workspace_type } = before
      if (workspace_type === 'primary') throw primaryStays()
      const path = await lockPath(tx, before.lineage.slice(0, -1))
      if (!path) throw notFound(nounOf[type])
      const node = await lockedNode(tx, before, subject)
      if (!node) throw notFound(nounOf[type])
      if (req.expectedVersion !== undefined && req.expectedVersion !== node.version) {
        throw versionMismatch()
      }
      if (type === 'organization') await dissolve(tx, id)
      const at = await markDeleted(tx, id, username)
      const { lineage, size_bytes } = node
      const counts = negative(await countWith(tx, id, type))
      const effect = { lineage, sizeBytes: -size_bytes, children: -1, counts, at, actor: username }
      await insertDeltas(tx, effect)
      await insertActivity(tx, {
        id: ctx.newOrderedId(),
        at,
        action: 'delete',
        ...byOf(call, req.silent),
        target: { id, type, name: node.name },
        lineage,
        places: [...path, { id, type }],
        payload: canonicalPayload({ size_bytes }),
      })
      ctx.published(tx)
    })
    return {}
  }
}
