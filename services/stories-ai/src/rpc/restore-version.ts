import { requireUser } from '@figbase/kit/rpc'
import { requireUpdate } from '../access.js'
import type { Ctx } from '../context.js'
import { versionNotFound } from '../errors.js'
import { callerOf } from '../publication/acting.js'
import { save } from '../publication/save.js'
import { findVersion } from '../queries/versions.js'
import type { Impl } from '../routes.js'
import { toContent } from '../wire.js'

export function restoreVersion(ctx: Ctx): Impl['restoreVersion'] {
  return async ({ storyId, version, expectedVersion, silent }, call) => {
    const author = requireUser(call)
    await requireUpdate(ctx, storyId, call)
    const earlier = await findVersion(ctx.db, storyId, version)
    if (!earlier) throw versionNotFound()
    const content = toContent(earlier)
    const change = {
      storyId: storyId.toLowerCase(),
      author,
      expectedVersion,
      silent,
      apply: () => content,
      // It was accepted before, and readers see only the revisions that they may view.
      mayAdd: () => true,
      refusal: versionNotFound,
    }
    return { story: await save(ctx, change, callerOf(call)) }
  }
}
