import type { CallOptions } from '@connectrpc/connect'
import { NodeType } from '@figbase/proto/catalog'
import type { Story } from '@figbase/proto/stories'
import type { Ctx } from './context.js'
import type { Opened } from './domain/opened.js'
import { storyNotFound } from './errors.js'
import { findStory } from './queries/stories.js'
import { resolveShown, resolveTold } from './told.js'
import { toContent, toStory } from './wire.js'

/**
 * The current version, as whoever `as` names may see it; with `seesOpened` also what was opened to the readers of the
 * story.
 */
export async function readStory(
  ctx: Pick<Ctx, 'db' | 'catalog'>,
  id: string,
  as: CallOptions,
  { seesOpened }: { seesOpened: boolean },
): Promise<Story> {
  const { node } = await ctx.catalog.getNode({ id, type: NodeType.STORY }, as)
  if (!node) throw new Error('catalog returned no node')
  const story = await findStory(ctx.db, node.id)
  if (!story) throw storyNotFound()
  const content = toContent(story)
  const told = await resolveTold(ctx, content.revisionIds, as)
  const opened = JSON.parse(story.opened) as Opened
  const shown = seesOpened ? await resolveShown(ctx, told, opened, as) : told
  return toStory(story, content, node, shown)
}
