import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'

export const commentCount = endpoint({
  method: 'GET',
  path: '/revision/:id/comment_count/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  operationId: 'countRevisionComments',
  summary: 'Count the comments on a figure revision',
  description: 'Answers to comments do not count.',
  responses: { 200: z.object({ count: z.int() }) },
  async handle({ params, services, call }) {
    const target = { targetId: params.id ?? '', targetType: NodeType.FIGURE_REVISION }
    const { count } = await services.comments.countComments(target, call)
    return ok({ count })
  },
})
