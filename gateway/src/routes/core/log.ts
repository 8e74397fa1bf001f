import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { activitySchema, briefActivity, briefActivitySchema } from '../../shapes/activity.js'
import { clampLimit, limitHeader, limitQuery, offsetQuery } from '../limit.js'
import { listEndpoint } from '../list.js'
import { nounOf } from '../nouns.js'
import { flagQuery, isTrue } from '../query-flags.js'
import {
  activityFilters,
  activityItems,
  activityPage,
  activityPageSchema,
  filtersIn,
} from './activity.js'
import type { Resource } from './resources.js'

const limits = {
  deep: { standard: 50, max: 100 },
  brief: { standard: 1000, max: 1000 },
}

const activityItemSchema = z
  .union([briefActivitySchema, activitySchema])
  .meta({ id: 'ActivityItem', description: 'An entry of an activity log, in full with `deep`.' })

export const logRoute = ({ segment, type }: Resource): Endpoint =>
  listEndpoint({
    path: `/${segment}/:id/log/`,
    since: 'v1',
    auth: 'required',
    operationId: `list${nounOf(segment).idPart}Log`,
    summary: `List the activity log of ${nounOf(segment).a}`,
    description: 'The log covers everything below it, newest first.',
    query: {
      ...activityFilters,
      deep: flagQuery,
      offset: offsetQuery,
      limit: limitQuery(limits.brief),
    },
    item: activityItemSchema,
    async readPage(input, page) {
      const { params, query, services, call } = input
      const detailed = isTrue(query.deep)
      // The pictures of full items are read with one call.
      const pageSize = Math.min(page.pageSize, detailed ? limits.deep.max : limits.brief.max)
      const of = { id: params.id ?? '', type, ...filtersIn(query), detailed }
      const request = { ...of, pageSize, pageToken: page.pageToken }
      const { entries, nextPageToken } = await services.catalog.listActivity(request, call)
      const items = detailed ? await activityItems(input, entries) : entries.map(briefActivity)
      return { items, nextPageToken }
    },
    whole: {
      schema: z.union([z.array(briefActivitySchema), activityPageSchema]),
      async read(input) {
        const { query } = input
        const deep = isTrue(query.deep)
        const limit = clampLimit(query.limit, deep ? limits.deep : limits.brief)
        const object = { id: input.params.id ?? '', type }
        const request = { ...filtersIn(query), offset: query.offset ?? 0, pageSize: limit }
        const body = deep
          ? await activityPage(input, object, request)
          : await briefEntries(input, { ...object, ...request })
        return ok(body, limitHeader(limit))
      },
    },
  })

async function briefEntries(
  { services, call }: Pick<Input, 'services' | 'call'>,
  request: { id: string; type: Resource['type']; offset: number; pageSize: number },
) {
  const { entries } = await services.catalog.listActivity(request, call)
  return entries.map(briefActivity)
}

export const logItemRoute = ({ segment, type }: Resource): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/log/:log_id/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `get${nounOf(segment).idPart}LogItem`,
    summary: `Get an entry of the activity log of ${nounOf(segment).a}`,
    description: 'Entries remain when their target is deleted.',
    responses: { 200: activitySchema },
    async handle(input) {
      const { id = '', log_id: entryId = '' } = input.params
      const request = { id, type, entryId }
      const { entry } = await input.services.catalog.getActivity(request, input.call)
      const [item] = await activityItems(input, [required(entry)])
      return ok(item)
    },
  })
