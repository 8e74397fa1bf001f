import type { Revision } from '@figbase/proto/revisions'
import type { Slide, Story, ToldRevision } from '@figbase/proto/stories'
import { type Input, ok, type Reply } from '../../endpoint.js'
import { ifAvailable } from '../../if-available.js'
import { required } from '../../required.js'
import { storyContent, storyShape } from '../../shapes/story.js'
import type { Document } from '../document.js'
import { etagOf } from '../if-match.js'

/** The revisions that the caller may view are read with one call; without it, they have no details. */
export async function readContent(
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
  const isFinal = nodes.length === 0 || answer?.isFinal === true
  return { content: storyContent(content, summaries, version), isFinal }
}

export async function fullStory(input: Input, story: Story): Promise<Document> {
  const { content, isFinal } = await readContent(input, story)
  return { body: storyShape(story, required(story.node), content, input.version), isFinal }
}

/** The response to a write. */
export const storyReply = async (input: Input, story: Story): Promise<Reply> =>
  ok((await fullStory(input, story)).body, etagOf(story))
