import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { staffActionSchema, staffActionShape } from '../../shapes/staff-action.js'
import { clampLimit, limitHeader, limitQuery } from '../limit.js'

const sizes = { standard: 50, max: 100 }

const query = z.object({
  page_size: limitQuery(sizes),
  cursor: z
    .string()
    .regex(/^[\w-]{0,200}$/, 'invalid cursor')
    .optional()
    .meta({ description: '`next_cursor` of the previous page.' }),
})

export const listStaffActions = endpoint({
  method: 'GET',
  path: '/staff_action/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'listStaffActions',
  summary: 'List what administrators did',
  description: 'Newest first. Only staff may read them.',
  query,
  responses: {
    200: z.object({ items: z.array(staffActionSchema), next_cursor: z.string().nullable() }),
  },
  responseHeaders: ['X-Limit'],
  async handle({ query, services, call }) {
    const pageSize = clampLimit(query.page_size, sizes)
    const request = { pageSize, pageToken: query.cursor ?? '' }
    const { actions, nextPageToken } = await services.staff.listStaffActions(request, call)
    const items = actions.map(staffActionShape)
    return ok({ items, next_cursor: nextPageToken || null }, limitHeader(pageSize))
  },
})
