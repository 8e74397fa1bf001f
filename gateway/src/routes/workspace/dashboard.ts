import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { getNode } from '../../nodes/lists.js'
import { shallowWorkspace, shallowWorkspaceSchema } from '../../shapes/containers.js'
import { shallowStory, shallowStorySchema } from '../../shapes/story.js'
import { activityFilters, activityPage, activityPageSchema, filtersIn } from '../core/activity.js'
import { clampLimit, limitHeader, limitQuery } from '../limit.js'
import { overviewSchema, readOverview } from './overview.js'
import { recentNodes } from './recent.js'

const limits = { standard: 10, max: 50 }
const storiesMax = 20

export const dashboard = endpoint({
  method: 'GET',
  path: '/workspace/:id/dashboard/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'getWorkspaceDashboard',
  summary: 'Get a summary of a workspace',
  description:
    'The answer has the number of objects, the latest activity, and the stories that were active last.',
  query: z.object({ ...activityFilters, activity_limit: limitQuery(limits) }),
  responses: {
    200: z.object({
      workspace: shallowWorkspaceSchema,
      overview: overviewSchema,
      activity_log: activityPageSchema,
      stories: z.array(shallowStorySchema),
    }),
  },
  responseHeaders: ['X-Limit'],
  async handle(input) {
    const { params, query, version } = input
    const { id = '' } = params
    const type = NodeType.WORKSPACE
    const pageSize = clampLimit(query.activity_limit, limits)
    const [node, overview, activity_log, stories] = await Promise.all([
      getNode(input, id, type),
      readOverview(input, id),
      activityPage(input, { id, type }, { ...filtersIn(query), offset: 0, pageSize }),
      recentNodes(input, NodeType.STORY, storiesMax, shallowStory),
    ])
    const workspace = shallowWorkspace(node, version)
    return ok({ workspace, overview, activity_log, stories }, limitHeader(pageSize))
  },
})
