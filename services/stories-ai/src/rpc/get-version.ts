import { forward } from '@figbase/kit/rpc'
import { requireUpdate } from '../access.js'
import type { Ctx } from '../context.js'
import { versionNotFound } from '../errors.js'
import { findVersion } from '../queries/versions.js'
import type { Impl } from '../routes.js'
import { resolveTold } from '../told.js'
import { toContent, toSlides, toToldRevisions, toVersion } from '../wire.js'

export function getVersion(ctx: Ctx): Impl['getVersion'] {
  return async ({ storyId, version }, call) => {
    await requireUpdate(ctx, storyId, call)
    const row = await findVersion(ctx.db, storyId, version)
    if (!row) throw versionNotFound()
    const content = toContent(row)
    const told = await resolveTold(ctx, content.revisionIds, forward(call))
    return {
      version: toVersion(row),
      name: content.name,
      ...(content.description !== null && { description: content.description }),
      revisions: toToldRevisions(content, told),
      slides: toSlides(content, told),
    }
  }
}
