import type { GetOverviewResponse } from '@figbase/proto/catalog'
import { z } from 'zod'
import { endpoint, type Input, ok } from '../../endpoint.js'

export const overviewSchema = z
  .object({
    analysis_count: z.int(),
    figure_count: z.int(),
    asset_count: z.int(),
    story_count: z.int(),
    active_this_week: z.int(),
  })
  .meta({ id: 'WorkspaceOverview', description: 'The number of objects in a workspace.' })

export const overview = endpoint({
  method: 'GET',
  path: '/workspace/:id/overview/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'getWorkspaceOverview',
  summary: 'Count the objects of a workspace',
  description: 'The answer also counts those that were active in the last seven days.',
  responses: { 200: overviewSchema },
  async handle(input) {
    return ok(await readOverview(input, input.params.id ?? ''))
  },
})

export async function readOverview({ services, call }: Input, workspaceId: string) {
  return overviewShape(await services.catalog.getOverview({ workspaceId }, call))
}

const overviewShape = (counts: GetOverviewResponse) => ({
  analysis_count: counts.analyses,
  figure_count: counts.figures,
  asset_count: counts.assets,
  story_count: counts.stories,
  active_this_week: counts.activeThisWeek,
})
