import { invalid } from '@figbase/kit/errors'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { z } from 'zod'
import { type Endpoint, endpoint, type Input } from '../../endpoint.js'
import { getNode } from '../../nodes/lists.js'
import { required } from '../../required.js'
import { storySchema } from '../../shapes/story.js'
import { expectedVersion, ifMatchHeader } from '../if-match.js'
import { isSilent, silentQuery } from '../query-flags.js'
import { slidesIn, updateBody } from './body.js'
import { storyReply } from './full-story.js'
import { checkStoryVersion, readStory } from './read-story.js'

type Body = z.output<typeof updateBody>

export const updateStory = (method: 'PUT' | 'PATCH'): Endpoint =>
  endpoint({
    method,
    path: '/story/:id/',
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `${method === 'PUT' ? 'replace' : 'update'}Story`,
    summary: 'Update a story',
    description:
      'Omitted members keep their values. `revisions` and `slides` replace all of them. Another `workspace` moves the story, in a request of its own.',
    query: silentQuery,
    body: updateBody,
    requestHeaders: ifMatchHeader,
    responses: { 200: storySchema },
    responseHeaders: ['ETag'],
    guard: ({ id = '' }) => ({ id, permission: Permission.UPDATE, type: NodeType.STORY }),
    async handle(input) {
      const { params, query, services, call, body } = input
      const { id = '' } = params
      if (await isMove(input, body)) return move(input, id, body.workspace ?? '')
      const request = {
        id,
        ...(typeof body.name === 'string' && { name: body.name }),
        ...(typeof body.description === 'string' && { description: body.description }),
        ...(body.revisions && { revisions: { ids: body.revisions } }),
        ...slidesIn(body.slides),
        ...(await visibleIn(input, body)),
        ...(await expectedVersion(input, () => readStory(input))),
        silent: isSilent(query),
      }
      const { story } = await services.stories.updateStory(request, call)
      return storyReply(input, required(story))
    },
  })

/** Clients may send the present value with other members; it changes nothing, and needs no permission. */
async function visibleIn(input: Input, { revisions_visible_to_readers: visible }: Body) {
  if (typeof visible !== 'boolean') return {}
  const { revisionsVisible } = await readStory(input)
  return visible === revisionsVisible ? {} : { revisionsVisible: visible }
}

/** Clients may send the present workspace with other members. */
async function isMove(input: Input, { workspace, ...others }: Body): Promise<boolean> {
  if (typeof workspace !== 'string') return false
  const node = await getNode(input, input.params.id ?? '', NodeType.STORY)
  if (node.workspaceId === workspace.toLowerCase()) return false
  if (Object.values(others).some((value) => value !== undefined && value !== null)) {
    throw invalid('workspace', 'to move a story, send only `workspace`')
  }
  return true
}

async function move(input: Input, id: string, parentId: string) {
  await checkStoryVersion(input)
  const { query, services, call } = input
  const silent = isSilent(query as { silent?: string })
  await services.catalog.updateNode({ id, type: NodeType.STORY, parentId, silent }, call)
  return storyReply(input, await readStory(input))
}
