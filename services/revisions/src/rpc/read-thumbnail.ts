import { forward, isUuid } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { revisionKind } from '../domain/revision-kind.js'
import { findFirstThumbnail } from '../queries/thumbnails.js'
import type { Impl } from '../routes.js'
import { currentThumbnail } from './current-thumbnail.js'
import { checkSize } from './thumbnail-size.js'

export function readThumbnail(ctx: Ctx): Impl['readThumbnail'] {
  return async ({ revisionId, type, sizePx }, call) => {
    checkSize(sizePx)
    const request = {
      id: revisionId,
      permission: Permission.VIEW,
      type: revisionKind(type).nodeType,
    }
    const find = () => findFirstThumbnail(ctx.db, [revisionId].filter(isUuid))
    // At once: neither needs the other, and nothing is answered before both have.
    const [, found] = await Promise.all([ctx.catalog.checkAccess(request, forward(call)), find()])
    return currentThumbnail(ctx, found, find, sizePx)
  }
}
