import type { HandlerContext } from '@connectrpc/connect'
import { forward, forwardDetached, principal, requireUser } from '@figbase/kit/rpc'
import type { CreateStoryRequest } from '@figbase/proto/stories'
import type { Ctx } from '../context.js'
import { contentBytes } from '../domain/content.js'
import { requireAi } from '../insight/ai-state.js'
import { activate } from '../publication/activate.js'
import { findStory } from '../queries/stories.js'
import { readStory } from '../read-story.js'
import { startGeneration } from '../story-writer/start-generation.js'
import { toContent } from '../wire.js'

/**
 * The story that an earlier attempt of a keyed request created. Activates it and starts its generation, because the
 * attempt may have ended before that.
 */
export const restoreCreated =
  (ctx: Ctx) =>
  async (
    { story: created }: { story?: { node?: { id?: string } | undefined } | undefined },
    { silent, generate, workspaceId }: CreateStoryRequest,
    call: HandlerContext,
  ) => {
    const id = created?.node?.id ?? ''
    const stored = await findStory(ctx.db, id)
    if (stored) {
      const sizeBytes = BigInt(contentBytes(toContent(stored)))
      await activate(ctx, { id, sizeBytes, silent }, forwardDetached(call))
    }
    if (generate && stored?.generation_status === null) {
      const model = await requireAi(ctx, '', forward(call))
      const username = requireUser(call)
      await startGeneration(ctx, {
        storyId: id,
        status: 'generating',
        username,
        model,
        workspaceId,
      })
    }
    const seesOpened = !principal(call).apiKey?.workspaceId
    return { story: await readStory(ctx, id, forward(call), { seesOpened }) }
  }
