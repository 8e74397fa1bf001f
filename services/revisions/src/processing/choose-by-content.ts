import type { CallOptions } from '@connectrpc/connect'
import { ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import type { TaskHandle } from '@figbase/kit/tasks'
import { type Node, NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { type ChosenImage, pngOf } from '../images/choose.js'

export type Content = { revisionId: string; image: ChosenImage | undefined }

/**
 * The id of the figure that a language model chooses, among the newest in which the user may create revisions. Undefined
 * if AI is off, fails, or chooses none, and beyond the plan.
 */
export async function chooseByContent(
  ctx: Ctx,
  content: Content,
  listFigures: () => Promise<Node[]>,
  task: Pick<TaskHandle, 'id' | 'log' | 'signal'>,
  as: CallOptions,
): Promise<string | undefined> {
  try {
    const { aiEnabled } = await ctx.site.getPublicSettings({}, as)
    if (!aiEnabled) return undefined
    const candidates = await listCandidates(ctx, await listFigures(), as)
    if (candidates.length === 0) return undefined
    const { revisionId, image } = content
    const picture = image ? await pngOf(ctx, image) : new Uint8Array()
    const request = { revisionId, picture, candidates, taskId: task.id }
    const timeoutMs = ctx.cfg.autoAssignAiTimeoutMs
    const { figureId } = await ctx.insight.chooseFigure(request, { ...as, timeoutMs })
    return candidates.find(({ id }) => id === figureId)?.id
  } catch (err) {
    task.signal.throwIfAborted()
    ctx.log.info({ err, revision: content.revisionId }, 'choosing a figure by AI failed')
    task.log(`AI could not choose a figure: ${reasonOf(err)}.`)
    return undefined
  }
}

/** The newest first. */
async function listCandidates({ catalog, cfg }: Ctx, figures: Node[], as: CallOptions) {
  const max = cfg.autoAssignAiCandidatesMax
  const newest = max === 0 ? [] : figures.slice(-max).reverse()
  if (newest.length === 0) return []
  const ids = newest.map(({ id }) => id)
  const request = { ids, type: NodeType.FIGURE, permission: Permission.CREATE }
  const usable = new Set((await catalog.resolveNodes(request, as)).nodes.map(({ id }) => id))
  return newest.filter(({ id }) => usable.has(id)).map(({ id, name }) => ({ id, name }))
}

function reasonOf(error: unknown): string {
  const isForUsers =
    error instanceof ConnectError && detailOf(error)?.error.startsWith('ai_') === true
  return isForUsers ? error.rawMessage : 'it is not available'
}
