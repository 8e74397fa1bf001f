import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import { getNode, pageOfNodes } from '../../nodes/lists.js'
import { required } from '../../required.js'
import { shallowStory, shallowStorySchema, storySchema } from '../../shapes/story.js'
import { documentReply, notModified, storyEtag } from '../document.js'
import { fieldsQuery, onlyFields } from '../fields.js'
import { expectedVersion, ifNoneMatchHeader, versionMismatch } from '../if-match.js'
import { listEndpoint } from '../list.js'
import { isShallow, shallowQuery } from '../query-flags.js'
import { updatedAfterIn, updatedAfterQuery } from '../updated-after.js'
import { fullStory } from './full-story.js'

export const listStories: Endpoint = listEndpoint({
  path: '/story/',
  since: 'v1',
  auth: 'required',
  operationId: 'listStories',
  summary: 'List the stories that the caller may view',
  description: 'The oldest comes first. The list has no content.',
  query: { ...shallowQuery.shape, ...updatedAfterQuery },
  item: shallowStorySchema,
  async readPage(input, request) {
    const { STORY: type } = NodeType
    const page = await pageOfNodes(input, { type, ...request, ...updatedAfterIn(input.query) })
    return { ...page, items: page.items.map((node) => shallowStory(node, input.version)) }
  },
  async count({ services, call }) {
    return (await services.catalog.countNodes({ type: NodeType.STORY }, call)).count
  },
})

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
  query: shallowQuery.extend({ fields: fieldsQuery([storySchema, shallowStorySchema]) }),
  requestHeaders: ifNoneMatchHeader,
  responses: { 200: z.union([storySchema, shallowStorySchema]), 304: null },
  responseHeaders: ['ETag'],
  async handle(input) {
    const { fields } = input.query
    if (isShallow(input.query)) {
      const node = await getNode(input, input.params.id ?? '', NodeType.STORY)
      return ok(onlyFields(shallowStory(node, input.version), fields))
    }
    const story = await readStory(input)
    const etag = storyEtag(story)
    return (
      notModified(input, etag) ?? documentReply(await fullStory(input, story), story, etag, fields)
    )
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
