import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import { HttpError } from '../../http/errors.js'
import { required } from '../../required.js'
import {
  fullStoryVersionSchema,
  storySchema,
  storyVersionSchema,
  storyVersionShape,
} from '../../shapes/story.js'
import { expectedVersion, ifMatchHeader } from '../if-match.js'
import { clampLimit, limitHeader, limitQuery, numberQuery } from '../limit.js'
import { invalidCursor, listEndpoint } from '../list.js'
import { isSilent, silentQuery } from '../query-flags.js'
import { readContent, storyReply } from './full-story.js'
import { readStory } from './read-story.js'

const limits = { standard: 100, max: 1000 }

const guard = ({ id = '' }: Record<string, string>) => ({
  id,
  permission: Permission.UPDATE,
  type: NodeType.STORY,
})

const versionIn = ({ number = '' }: Record<string, string>) => {
  if (/^[1-9]\d{0,8}$/.test(number)) return Number(number)
  throw new HttpError(404, 'not_found', 'this version of the story does not exist')
}

const listVersions = listEndpoint({
  path: '/story/:id/history/',
  since: 'v1',
  auth: 'required',
  operationId: 'listStoryVersions',
  summary: 'List the saved versions of a story',
  description: 'The newest comes first. The caller needs the permission UPDATE on the story.',
  query: { limit: limitQuery(limits), before: numberQuery },
  item: storyVersionSchema,
  guard,
  async readPage(input, { pageSize, pageToken }) {
    const before = pageToken === '' ? 0 : Number(pageToken)
    if (!(before < 2 ** 31)) throw invalidCursor()
    const versions = await readVersions(input, pageSize + 1, before)
    const items = versions.slice(0, pageSize)
    const hasMore = versions.length > pageSize
    return { items, nextPageToken: hasMore ? String(items.at(-1)?.version ?? '') : '' }
  },
  whole: {
    schema: z.array(storyVersionSchema),
    async read(input) {
      const limit = clampLimit(input.query.limit, limits)
      return ok(await readVersions(input, limit, input.query.before ?? 0), limitHeader(limit))
    },
  },
})

async function readVersions({ params, services, call }: Input, pageSize: number, before: number) {
  const request = { storyId: params.id ?? '', pageSize, beforeVersion: before }
  const { versions } = await services.stories.listVersions(request, call)
  return versions.map(storyVersionShape)
}

const getVersion = endpoint({
  method: 'GET',
  path: '/story/:id/history/:number/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'getStoryVersion',
  summary: 'Get a saved version of a story',
  description: 'The caller needs the permission UPDATE on the story.',
  responses: { 200: fullStoryVersionSchema },
  guard,
  async handle(input) {
    const { params, services, call } = input
    const request = { storyId: params.id ?? '', version: versionIn(params) }
    const found = await services.stories.getVersion(request, call)
    const { name, description = null } = found
    const { content } = await readContent(input, found)
    return ok({ ...storyVersionShape(required(found.version)), name, description, ...content })
  },
})

const restoreVersion = endpoint({
  method: 'POST',
  path: '/story/:id/history/:number/restore/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  operationId: 'restoreStoryVersion',
  summary: 'Save an earlier version of a story again',
  description:
    'It becomes the newest version. The caller needs the permission UPDATE on the story.',
  query: silentQuery,
  requestHeaders: ifMatchHeader,
  responses: { 200: storySchema },
  responseHeaders: ['ETag'],
  guard,
  async handle(input) {
    const { params, query, services, call } = input
    const request = {
      storyId: params.id ?? '',
      version: versionIn(params),
      ...(await expectedVersion(input, () => readStory(input))),
      silent: isSilent(query),
    }
    const { story } = await services.stories.restoreVersion(request, call)
    return storyReply(input, required(story))
  },
})

export const history: Endpoint[] = [listVersions, getVersion, restoreVersion]
