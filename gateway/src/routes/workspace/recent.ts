import { type Node, NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { endpoint, type Input, ok } from '../../endpoint.js'
import {
  shallowAnalysis,
  shallowAnalysisSchema,
  shallowAsset,
  shallowAssetSchema,
  shallowFigure,
  shallowFigureSchema,
} from '../../shapes/containers.js'
import type { Version } from '../../versions.js'
import { clampLimit, limitHeader, limitQuery } from '../limit.js'

const limits = { standard: 20, max: 1000 }

export const recent = endpoint({
  method: 'GET',
  path: '/workspace/:id/recent/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'listRecentObjects',
  summary: 'List the objects of a workspace that were active last',
  description: 'At most `limit` objects of each type are listed.',
  query: z.object({ limit: limitQuery(limits) }),
  responses: {
    200: z.object({
      analyses: z.array(shallowAnalysisSchema),
      figures: z.array(shallowFigureSchema),
      assets: z.array(shallowAssetSchema),
    }),
  },
  responseHeaders: ['X-Limit'],
  async handle(input) {
    const limit = clampLimit(input.query.limit, limits)
    const [analyses, figures, assets] = await Promise.all([
      recentNodes(input, NodeType.ANALYSIS, limit, shallowAnalysis),
      recentNodes(input, NodeType.FIGURE, limit, shallowFigure),
      recentNodes(input, NodeType.ASSET, limit, shallowAsset),
    ])
    return ok({ analyses, figures, assets }, limitHeader(limit))
  },
})

/** The nodes of one type in a workspace, most recently active first. */
export async function recentNodes<T>(
  { params, services, call, version }: Input,
  type: NodeType,
  pageSize: number,
  shape: (node: Node, version: Version) => T,
): Promise<T[]> {
  const request = { workspaceId: params.id ?? '', type, pageSize }
  const { nodes } = await services.catalog.listRecent(request, call)
  return nodes.map((node) => shape(node, version))
}
