import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { HttpError } from '../../http/errors.js'

export const contributions = endpoint({
  method: 'GET',
  path: '/user/:username/contributions/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'listContributions',
  summary: 'Count the activities of the caller by day',
  description: 'The answer has the last 365 days (UTC), today last.',
  responses: { 200: z.array(z.object({ date: z.iso.date(), count: z.int() })) },
  async handle({ params, username, services, call }) {
    if (params.username !== username) {
      throw new HttpError(403, 'permission_denied', 'you can only see your own contributions')
    }
    const { days } = await services.catalog.listContributions({}, call)
    return ok(days.map(({ date, count }) => ({ date, count })))
  },
})
