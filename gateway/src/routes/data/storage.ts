import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'

export const dataStorage = endpoint({
  method: 'GET',
  path: '/data/:id/storage/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'getDataObjectStorage',
  summary: 'Get where the bytes of a data object are stored',
  description:
    'The caller needs the permission MANAGE on the workspace. Only staff see the path in the default storage.',
  responses: {
    200: z.object({ vendor: z.string(), hash: z.string().length(64), path: z.string().nullable() }),
  },
  async handle({ params, services, call }) {
    const { vendor, hash, path } = await services.revisions.getDataStorage(
      { id: params.id ?? '' },
      call,
    )
    return ok({ vendor, hash, path: path ?? null })
  },
})
