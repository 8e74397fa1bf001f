import { SearchType } from '@figbase/proto/search'
import { z } from 'zod'
import { endpoint, type Input, ok } from '../../endpoint.js'
import { searchResultSchema, searchResultShape } from '../../shapes/search.js'
import { base64, idText } from '../body-members.js'
import { limitHeader } from '../limit.js'
import { entitiesOf } from './entities.js'

const types = {
  keyword: SearchType.KEYWORD,
  text: SearchType.TEXT,
  semantic: SearchType.SEMANTIC,
  image: SearchType.IMAGE,
} as const

/** A picture in base64, and the other members. */
const bodyBytes = (imageBytesMax: number) => Math.ceil((imageBytesMax / 3) * 4) + 64 * 1024

const query = z.string('must be a string')

const body = z.object({
  search_type: z.enum(Object.keys(types) as (keyof typeof types)[], {
    error: `must be one of ${Object.keys(types).join(', ')}`,
  }),
  query: query.nullish(),
  keywords: z.array(query, 'must be an array of strings').nullish(),
  image: base64.nullish(),
  k: z.int('must be a whole number').min(1, 'must be at least 1').nullish(),
  workspace: idText.nullish(),
  analysis: idText.nullish(),
  metadata: z
    .record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean()], 'must be texts, numbers, true or false'),
      'must be an object',
    )
    .nullish()
    .meta({ description: 'Only revisions with these values in their metadata.' }),
  is_stale: z
    .boolean('must be true or false')
    .nullish()
    .meta({ description: 'True: only stale figures.' }),
})

export const search = endpoint({
  method: 'POST',
  path: '/search/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'search',
  summary: 'Search for objects',
  description:
    '`keyword` and `text` find objects by words, `semantic` figure revisions by meaning, `image` by a picture. The best come first.',
  body,
  bodyBytesMax: ({ searchImageBytesMax }) => bodyBytes(searchImageBytesMax),
  responses: { 200: z.array(searchResultSchema) },
  errors: { 429: ['too_many_searches'], 503: ['search_unavailable'] },
  responseHeaders: ['X-Limit'],
  async handle(input) {
    const request = requestOf(input.body)
    const { results, limit } = await input.services.search.search(request, input.call)
    const entityOf = await entitiesOf(input, results)
    const shapes = results.map((result) => searchResultShape(result, entityOf(result)))
    return ok(shapes, limitHeader(limit))
  },
})

type Body = Input<z.output<typeof body>>['body']

const requestOf = (body: Body) => {
  const { search_type, query, keywords, image, k } = body
  return {
    type: types[search_type],
    query: search_type === 'image' ? '' : (query ?? keywords?.join(' ') ?? ''),
    image: search_type === 'image' ? Buffer.from(image ?? '', 'base64') : Buffer.alloc(0),
    limit: Math.min(k ?? 0, 2 ** 31 - 1),
    workspaceId: body.workspace ?? '',
    analysisId: body.analysis ?? '',
    onlyStale: body.is_stale ?? false,
    metadata: Object.entries(body.metadata ?? {}).map(([key, value]) => ({
      key,
      value: String(value),
    })),
  }
}
