import type { Revision } from '@figbase/proto/revisions'
import type { Slide, Story, ToldRevision } from '@figbase/proto/stories'
import { type Input, ok, type Reply } from '../../endpoint.js'
import { ifAvailable } from '../../if-available.js'
import { required } from '../../required.js'
import { storyContent, storyShape } from '../../shapes/story.js'
import { etagOf } from '../if-match.js'

/** The revisions that the caller may view are read with one call; without it, they have no details. */
export async function contentShape(
  { services, call, version }: Input,
  content: { revisions: ToldRevision[]; slides: Slide[] },
) {
  const nodes = content.revisions.flatMap(({ node }) => node ?? [])
  const request = { nodes, withoutThumbnail: true }
  const answer =
    nodes.length > 0
      ? await ifAvailable(services.revisions.readSummaries(request, call))
      : undefined
  const summaries = new Map<string, Revision>()
  for (const summary of answer?.revisions ?? []) summaries.set(summary.id, summary)
  return storyContent(content, summaries, version)
}

export async function fullStory(input: Input, story: Story) {
  const content = await contentShape(input, story)
  return storyShape(story, required(story.node), content, input.version)
}

export const storyReply = async (input: Input, story: Story | undefined): Promise<Reply> =>
  ok(await fullStory(input, required(story)), etagOf(required(story)))
