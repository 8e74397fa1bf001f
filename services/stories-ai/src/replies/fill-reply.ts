import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { actAs, user } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { deleteReply } from '../queries/ai-replies.js'

type Reply = { id: string; username: string; workspaceId: string }

const callTimeoutMs = 10_000

/** Fills an empty reply; a reply that was deleted meanwhile needs no text. May be repeated. */
export async function fillReply(
  ctx: Pick<Ctx, 'comments' | 'write'>,
  { id, username, workspaceId }: Reply,
  content: string,
): Promise<void> {
  const as = { ...actAs(user(username)), timeoutMs: callTimeoutMs }
  await ctx.comments.fillAiResponse({ id, content, workspaceId }, as).catch((error: unknown) => {
    if (!hasCode(error, Code.NotFound)) throw error
  })
  await ctx.write((db) => deleteReply(db, id))
}

export const failedText = (reason: string): string => `AI could not answer: ${reason}.`
