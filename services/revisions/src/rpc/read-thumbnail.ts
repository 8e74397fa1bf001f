import { isUuid } from '@figbase/kit/ids'
import { forward } from '@figbase/kit/rpc'
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
    // In parallel, because neither needs the other. Both must succeed before anything is returned.
    const [, found] = await Promise.all([ctx.catalog.checkAccess(request, forward(call)), find()])
    return currentThumbnail(ctx, found, find, sizePx)
  }
}
