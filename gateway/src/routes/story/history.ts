import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
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
import { isSilent, silentQuery } from '../query-flags.js'
import { contentShape, storyReply } from './full-story.js'
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

const listVersions = endpoint({
  method: 'GET',
  path: '/story/:id/history/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'listStoryVersions',
  summary: 'List the saved versions of a story',
  description: 'The newest comes first. The caller needs the permission UPDATE on the story.',
  query: z.object({ limit: limitQuery(limits), before: numberQuery }),
  responses: { 200: z.array(storyVersionSchema) },
  responseHeaders: ['X-Limit'],
  guard,
  async handle({ params, query, services, call }) {
    const limit = clampLimit(query.limit, limits)
    const request = { storyId: params.id ?? '', pageSize: limit, beforeVersion: query.before ?? 0 }
    const { versions } = await services.stories.listVersions(request, call)
    return ok(versions.map(storyVersionShape), limitHeader(limit))
  },
})

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
    const content = await contentShape(input, found)
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
    return storyReply(input, (await services.stories.restoreVersion(request, call)).story)
  },
})

export const history: Endpoint[] = [listVersions, getVersion, restoreVersion]
