import { type CallOptions, Code } from '@connectrpc/connect'
import { hasCode, invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Content } from '../domain/content.js'
import { findStory } from '../queries/stories.js'
import { toContent } from '../wire.js'

/** The workspace of a story that the caller may update; 400 naming `story_id` for one that does not exist. */
export async function requireStoryUpdate(
  { catalog }: Pick<Ctx, 'catalog'>,
  storyId: string,
  as: CallOptions,
): Promise<{ storyId: string; workspaceId: string }> {
  if (!isUuid(storyId)) throw invalid('story_id', 'must be a UUID')
  const request = { id: storyId, permission: Permission.UPDATE, type: NodeType.STORY }
  const { workspaceId } = await catalog.checkAccess(request, as).catch((error: unknown) => {
    throw hasCode(error, Code.NotFound) ? storyMissing() : error
  })
  return { storyId: storyId.toLowerCase(), workspaceId }
}

/** The current content of such a story. */
export async function readContent({ db }: Pick<Ctx, 'db'>, storyId: string): Promise<Content> {
  const story = await findStory(db, storyId)
  if (!story) throw storyMissing()
  return toContent(story)
}

const storyMissing = () => invalid('story_id', 'does not exist')
