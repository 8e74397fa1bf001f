import { z } from 'zod'
import { type Endpoint, endpoint } from '../../endpoint.js'
import { csvType } from '../../http/csv.js'
import { usageSchema } from '../../shapes/ai-usage.js'
import { flagQuery, isTrue } from '../query-flags.js'
import { usageQuery, usageReply } from './usage-reply.js'

export const ownUsage: Endpoint = endpoint({
  method: 'GET',
  path: '/ai_usage/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'getAiUsage',
  summary: 'Get the tokens that AI used for the caller in a month',
  description: 'The answer covers all workspaces. It is JSON or CSV.',
  query: z.object({
    ...usageQuery,
    all: flagQuery.meta({
      type: 'boolean',
      description:
        'Whether to cover all users and workspaces; for staff only. The default is false.',
    }),
  }),
  responses: { 200: usageSchema },
  responseHeaders: ['Content-Disposition'],
  mediaType: csvType,
  async handle(input) {
    const { query, services, call, streamCall } = input
    const { aiUsage } = services
    const { period = '' } = query
    const list = isTrue(query.all) ? aiUsage.listSiteUsage : aiUsage.listOwnUsage
    const first = await list({ period }, call)
    const read = (pageToken: string) => list({ period: first.period, pageToken }, streamCall)
    return usageReply(input, first, read)
  },
})
