import { z } from 'zod'
import { HttpError } from '../../http/errors.js'
import { listEndpoint, pageOf } from '../list.js'

const contributionsSchema = z
  .object({ date: z.iso.date(), count: z.int() })
  .meta({ id: 'DailyContributions', description: 'The number of activities of a day.' })

export const contributions = listEndpoint({
  path: '/user/:username/contributions/',
  since: 'v1',
  auth: 'required',
  operationId: 'listContributions',
  summary: 'Count the activities of the caller by day',
  description: 'The answer has the last 365 days (UTC), today last.',
  item: contributionsSchema,
  isShort: true,
  async readPage({ params, username, services, call }, page) {
    if (params.username !== username) {
      throw new HttpError(403, 'permission_denied', 'you can only see your own contributions')
    }
    const { days } = await services.catalog.listContributions({}, call)
    const items = days.map(({ date, count }) => ({ date, count }))
    return pageOf(items, ({ date }) => date, page)
  },
})
