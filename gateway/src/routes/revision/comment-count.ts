import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { getNode } from '../nodes.js'

export const commentCount = endpoint({
  method: 'GET',
  path: '/revision/:id/comment_count/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  summary: 'How many comments a revision has, answers not counted',
  responses: { 200: z.object({ count: z.int() }) },
  async handle(input) {
    await getNode(input, input.params.id ?? '', NodeType.FIGURE_REVISION)
    // Nobody can comment yet.
    return ok({ count: 0 })
  },
})
