import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { tierSchema, tierShape } from '../../shapes/compute.js'

export const listTiers = endpoint({
  method: 'GET',
  path: '/compute/tiers/',
  since: 'v1.4.1',
  auth: 'optional',
  idempotent: true,
  operationId: 'listComputeTiers',
  summary: 'List the tiers of compute instances',
  description: 'A tier is a size: a number of CPUs and an amount of memory.',
  responses: { 200: z.array(tierSchema) },
  async handle({ services, call }) {
    const { tiers } = await services.compute.listTiers({}, call)
    return ok(tiers.map(tierShape))
  },
})
