import type { CallOptions, HandlerContext } from '@connectrpc/connect'
import { forward, requireUser } from '@figbase/kit/rpc'
import type { StartReplyRequest } from '@figbase/proto/story-writer'
import type { Ctx } from '../context.js'
import { requireAi } from '../insight/ai-state.js'
import { revokeTask } from '../insight/revoke-task.js'
import { replyToComment } from '../job-names.js'
import { insertReply } from '../queries/ai-replies.js'
import { readThread } from '../replies/read-thread.js'
import type { StoryWriterImpl } from '../routes.js'

export function startReply(ctx: Ctx): StoryWriterImpl['startReply'] {
  return async ({ parentCommentId }, call) => {
    const username = requireUser(call)
    const as = forward(call)
    const { target } = await readThread(ctx, parentCommentId, as)
    const model = await requireAi(ctx, '', as)
    const { workspaceId } = target
    const id = ctx.newId()
    // The task comes first: a reply without one would stay empty. It creates the reply, too.
    const taskId = await ctx.transact(async (tx) => {
      const payload = { replyId: id, parentCommentId, workspaceId, username, model }
      const options = { name: 'Reply to a comment', owner: username, workspaceId }
      const taskId = await ctx.startTask(tx, replyToComment, payload, options)
      await insertReply(tx, { id, taskId, username, workspaceId })
      await ctx.record(tx, call, () => ({ comment: { id } }))
      return taskId
    })
    return { comment: await createReply(ctx, { id, parentCommentId }, taskId, as) }
  }
}

/** A repetition creates the reply of the first attempt, unless it exists. */
export const restoreReply =
  ({ comments }: Ctx) =>
  async (
    recorded: { comment?: { id?: string } | undefined },
    { parentCommentId }: StartReplyRequest,
    call: HandlerContext,
  ) => {
    const reply = { id: recorded.comment?.id ?? '', parentCommentId }
    const { comment } = await comments.createAiResponse(reply, forward(call))
    return comment ? { comment } : {}
  }

/** If the reply is refused, for example because the thread is too deep, nobody needs its task. */
async function createReply(
  ctx: Ctx,
  reply: { id: string; parentCommentId: string },
  taskId: string,
  as: CallOptions,
) {
  try {
    const { comment } = await ctx.comments.createAiResponse(reply, as)
    if (!comment) throw new Error('comments returned no reply')
    return comment
  } catch (error) {
    // Its row goes with the next run of `end-ai-tasks`.
    await revokeTask(ctx, taskId)
    throw error
  }
}
