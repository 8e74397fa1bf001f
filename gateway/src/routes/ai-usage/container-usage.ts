import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint } from '../../endpoint.js'
import { csvType } from '../../http/csv.js'
import { quotaSchema, quotaShape, usageSchema } from '../../shapes/ai-usage.js'
import { nounOf } from '../nouns.js'
import { usageQuery, usageReply } from './usage-reply.js'

const containerUsageSchema = usageSchema.extend({ quota: quotaSchema }).meta({
  id: 'ContainerAiUsage',
  base: 'AiUsage',
  description: 'The tokens that AI used in a workspace or an organization in a month.',
})

const containerUsage = (segment: 'workspace' | 'organization', type: NodeType): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/ai_usage/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `get${nounOf(segment).idPart}AiUsage`,
    summary: `Get the tokens that AI used in ${nounOf(segment).a} in a month`,
    description: `Members who may manage the ${segment} may read this, and staff. The answer is JSON or CSV.`,
    query: z.object(usageQuery),
    responses: { 200: containerUsageSchema },
    responseHeaders: ['Content-Disposition'],
    mediaType: csvType,
    async handle(input) {
      const { params, query, services, call, streamCall } = input
      const container = { id: params.id ?? '', type }
      const { listContainerUsage } = services.aiUsage
      const first = await listContainerUsage({ ...container, period: query.period ?? '' }, call)
      const { period } = first
      const read = (pageToken: string) =>
        listContainerUsage({ ...container, period, pageToken }, streamCall)
      return usageReply(input, first, read, { quota: quotaShape(first.quota) })
    },
  })

export const workspaceUsage = containerUsage('workspace', NodeType.WORKSPACE)
export const organizationUsage = containerUsage('organization', NodeType.ORGANIZATION)
