import { forward, principal } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { readStory } from '../read-story.js'
import type { Impl } from '../routes.js'

export function getStory(ctx: Ctx): Impl['getStory'] {
  return async ({ id }, call) => {
    // Keys of one workspace see only what they may view.
    const seesOpened = !principal(call).apiKey?.workspaceId
    return { story: await readStory(ctx, id, forward(call), { seesOpened }) }
  }
}
