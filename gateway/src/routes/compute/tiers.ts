import { tierSchema, tierShape } from '../../shapes/compute.js'
import { listEndpoint, pageOf } from '../list.js'

export const listTiers = listEndpoint({
  path: '/compute/tiers/',
  since: 'v1.4.1',
  auth: 'optional',
  operationId: 'listComputeTiers',
  summary: 'List the tiers of compute instances',
  description: 'A tier is a size: a number of CPUs and an amount of memory.',
  item: tierSchema,
  isShort: true,
  async readPage({ services, call }, page) {
    const { tiers } = await services.compute.listTiers({}, call)
    return pageOf(tiers.map(tierShape), ({ id }) => id, page)
  },
})
