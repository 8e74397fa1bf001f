import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint } from '../../endpoint.js'
import { closedBody } from '../body-members.js'
import { isSilent, silentQuery } from '../query-flags.js'

/** Responds like `get`, the route of the figure. */
export const stillRight = (get: Endpoint): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/figure/:id/still_right/',
    since: 'v1',
    auth: 'required',
    idempotent: false,
    idempotencyKey: 'no effect: it creates nothing',
    operationId: 'confirmFigure',
    summary: 'Say that a stale figure is still right',
    description:
      'It is no longer stale until one of its assets gets another revision. The activity log has the reason.',
    query: silentQuery,
    body: closedBody({
      reason: z.string('must be a string').meta({
        description: 'Why the figure is still right, in at most 400 characters.',
      }),
    }),
    responses: { 200: get.responses[200] ?? null },
    ...(get.responseHeaders && { responseHeaders: get.responseHeaders }),
    guard: ({ id = '' }) => ({ id, permission: Permission.UPDATE, type: NodeType.FIGURE }),
    async handle(input) {
      const { params, query, body, services, call } = input
      const { reason } = body as { reason: string }
      const request = { figureId: params.id ?? '', reason, silent: isSilent(query) }
      await services.catalog.confirmFigure(request, call)
      return get.handle({ ...input, query: {} }, nothing())
    },
  })

async function* nothing() {}
