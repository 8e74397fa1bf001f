import type { InstanceUsage } from '@figbase/proto/compute'
import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import { csvContentType, csvOf, csvType, wantsCsv } from '../../http/csv.js'
import { usageColumns, usageRows, usageSchema, usageShape } from '../../shapes/compute-usage.js'

type UsageResource = {
  path: string
  operationId: string
  of: string
  member: 'instanceId' | 'workspaceId' | 'organizationId'
}

const resources: UsageResource[] = [
  {
    path: '/compute/instance/:id/usage/',
    operationId: 'getComputeInstanceUsage',
    of: 'a compute instance',
    member: 'instanceId',
  },
  {
    path: '/workspace/:id/compute_usage/',
    operationId: 'getWorkspaceComputeUsage',
    of: 'the compute instances of a workspace',
    member: 'workspaceId',
  },
  {
    path: '/organization/:id/compute_usage/',
    operationId: 'getOrganizationComputeUsage',
    of: 'the compute instances of an organization',
    member: 'organizationId',
  },
]

const query = z.object({
  period: z.string().optional(),
  format: z.enum(['json', 'csv'], 'must be json or csv').optional(),
})

const usageRoute = ({ path, operationId, of, member }: UsageResource) =>
  endpoint({
    method: 'GET',
    path,
    since: 'v1.4.1',
    auth: 'required',
    idempotent: true,
    operationId,
    summary: `Get the billable compute time of ${of} in a month`,
    description: 'The month is in UTC. The answer is JSON or CSV.',
    query,
    responses: { 200: usageSchema },
    mediaType: csvType,
    headers: { vary: 'Accept' },
    async handle(input) {
      const { format } = input.query
      const usage = await readUsage(input, member)
      const isCsv = format ? format === 'csv' : wantsCsv(input.headers)
      return isCsv
        ? { status: 200, chunks: csvOf(usageColumns, usageRows(usage)), type: csvContentType }
        : ok(usage)
    },
  })

async function readUsage(
  { params, query: { period = '' }, services, call }: Input<unknown, z.output<typeof query>>,
  member: UsageResource['member'],
) {
  const of = { case: member, value: params.id ?? '' }
  const first = await services.compute.getUsage({ of, period }, call)
  const instances: InstanceUsage[] = [...first.instances]
  for (let { nextPageToken: pageToken } = first; pageToken; ) {
    const page = await services.compute.getUsage({ of, period: first.period, pageToken }, call)
    instances.push(...page.instances)
    pageToken = page.nextPageToken
  }
  return usageShape(first, instances)
}

export const usageRoutes: Endpoint[] = resources.map(usageRoute)
