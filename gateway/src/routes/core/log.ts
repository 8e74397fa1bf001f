import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import { activitySchema, briefActivity, briefActivitySchema } from '../../shapes/activity.js'
import { found } from '../found.js'
import { clamped, limitHeader, limitQuery, offsetQuery } from '../limit.js'
import { isTrue } from '../members.js'
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

export const logOf = ({ segment, type }: Resource): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/log/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `What happened to a ${segment} and below it, newest first; with \`deep\`, full items`,
    query: z.object({
      ...activityFilters,
      deep: z.string().optional(),
      offset: offsetQuery,
      limit: limitQuery,
    }),
    responses: { 200: z.union([z.array(briefActivitySchema), activityPageSchema]) },
    async handle(input) {
      const { query } = input
      const deep = isTrue(query.deep)
      const limit = clamped(query.limit, deep ? limits.deep : limits.brief)
      const object = { id: input.params.id ?? '', type }
      const request = { ...filtersIn(query), offset: query.offset ?? 0, pageSize: limit }
      const body = deep
        ? await activityPage(input, object, request)
        : await brief(input, { ...object, ...request })
      return ok(body, limitHeader(limit))
    },
  })

async function brief(
  { services, call }: Pick<Input, 'services' | 'call'>,
  request: { id: string; type: Resource['type']; offset: number; pageSize: number },
) {
  const { entries } = await services.catalog.listActivity(request, call)
  return entries.map(briefActivity)
}

export const logItemOf = ({ segment, type }: Resource): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/log/:log_id/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `One entry of the log of a ${segment}; it stays when its target is deleted`,
    responses: { 200: activitySchema },
    async handle(input) {
      const { id = '', log_id: entryId = '' } = input.params
      const request = { id, type, entryId }
      const { entry } = await input.services.catalog.getActivity(request, input.call)
      const [item] = await activityItems(input, [found(entry)])
      return ok(item)
    },
  })
