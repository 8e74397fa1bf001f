import { requireUser } from '@figbase/kit/rpc'
import type { UpdateStoryRequest } from '@figbase/proto/stories'
import { requireUpdate } from '../access.js'
import type { Ctx } from '../context.js'
import { type Changes, mergeContent } from '../domain/merge-content.js'
import { parseRevisionIds, parseSlides } from '../domain/parse-slides.js'
import { memberOf } from '../member-of.js'
import { callerOf } from '../publication/acting.js'
import { save } from '../publication/save.js'
import type { Impl } from '../routes.js'
import { isVisible, notVisible } from '../told.js'

export function updateStory(ctx: Ctx): Impl['updateStory'] {
  return async (req, call) => {
    const author = requireUser(call)
    await requireUpdate(ctx, req.id, call)
    const changes = parseChanges(ctx, req)
    const { expectedVersion, silent } = req
    const request = { revisionIds: req.revisions?.ids, slides: req.slides?.slides }
    const change = {
      storyId: req.id.toLowerCase(),
      author,
      expectedVersion,
      silent,
      apply: (before: Parameters<typeof mergeContent>[0]) =>
        mergeContent(before, changes, ctx.cfg, ctx.newId),
      visible: req.revisionsVisible,
      mayAdd: isVisible,
      refusal: (id: string) => notVisible(memberOf(request, id)),
    }
    return { story: await save(ctx, change, callerOf(call)) }
  }
}

const parseChanges = ({ cfg, newId }: Ctx, req: UpdateStoryRequest): Changes => ({
  name: req.name,
  description: req.description,
  revisionIds: req.revisions && parseRevisionIds(req.revisions.ids, cfg),
  slides: req.slides && parseSlides(req.slides.slides, cfg, newId),
})
