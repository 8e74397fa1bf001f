import { invalid } from '@figbase/kit/errors'
import { forward, requireUnbound } from '@figbase/kit/rpc'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { pdfUnavailable, tooManyExports } from '../errors.js'
import { formatName } from '../exports/formats.js'
import { exportStory as task } from '../job-names.js'
import { insertExport } from '../queries/exports.js'
import type { Impl } from '../routes.js'

const basePathPattern = /^(\/[\w.-]{1,20}){0,4}$/

export function exportStory(ctx: Ctx): Impl['exportStory'] {
  return async (req, call) => {
    // Its task belongs to no workspace.
    const owner = requireUnbound(call)
    const access = { id: req.storyId, permission: Permission.VIEW, type: NodeType.STORY }
    const { workspaceId } = await ctx.catalog.checkAccess(access, forward(call))
    const format = formatName(req.format)
    const { basePath } = req
    if (!basePathPattern.test(basePath)) throw invalid('base_path', 'must be a short path')
    const storyId = req.storyId.toLowerCase()
    if (format === 'pdf' && !ctx.pdfMaker) throw pdfUnavailable(storyId)
    const { exportsPerUserMax: keptMax, exportRetentionMs: retentionMs } = ctx.cfg
    const taskId = await ctx.transact(async (tx) => {
      const id = ctx.newId()
      const row = { id, storyId, owner, format }
      if (!(await insertExport(tx, row, { keptMax, retentionMs }))) throw tooManyExports(keptMax)
      const options = { name: 'Export of a story', owner, workspaceId }
      const taskId = await ctx.startTask(tx, task, { exportId: id, basePath }, options)
      await ctx.record(tx, call, () => ({ taskId }))
      return taskId
    })
    return { taskId }
  }
}
