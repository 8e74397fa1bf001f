import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { getNode, visibleNodes } from '../../nodes/lists.js'
import { required } from '../../required.js'
import { shallowStory, shallowStorySchema, storySchema } from '../../shapes/story.js'
import { expectedVersion, versionMismatch } from '../if-match.js'
import { isShallow, shallowQuery } from '../query-flags.js'
import { storyReply } from './full-story.js'

export const listStories: Endpoint = endpoint({
  method: 'GET',
  path: '/story/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'listStories',
  summary: 'List the stories that the caller may view',
  description: 'The oldest comes first. The list has no content.',
  query: shallowQuery,
  responses: { 200: z.array(shallowStorySchema) },
  async handle(input) {
    return ok(new JsonArrayStream(await prefetchFirst(stories(input))))
  },
})

async function* stories(input: Input) {
  for await (const node of visibleNodes(input, NodeType.STORY)) {
    yield shallowStory(node, input.version)
  }
}

export const getStory: Endpoint = endpoint({
  method: 'GET',
  path: '/story/:id/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  operationId: 'getStory',
  summary: 'Get a story',
  description:
    'Of a revision that the caller may not view, only the text that the author wrote is shown.',
  query: shallowQuery,
  responses: { 200: z.union([storySchema, shallowStorySchema]) },
  responseHeaders: ['ETag'],
  async handle(input) {
    if (isShallow(input.query)) {
      const node = await getNode(input, input.params.id ?? '', NodeType.STORY)
      return ok(shallowStory(node, input.version))
    }
    return storyReply(input, await readStory(input))
  },
})

export async function readStory({ params, services, call }: Input) {
  const request = { id: params.id ?? '' }
  return required((await services.stories.getStory(request, call)).story)
}

/** Checks `If-Match` here, because catalog does not know the versions of stories; throws a 412. */
export async function checkStoryVersion(input: Input): Promise<object> {
  const read = () => readStory(input)
  const { expectedVersion: version } = await expectedVersion(input, read)
  if (version !== undefined && (await read()).version !== version) throw versionMismatch()
  return {}
}
