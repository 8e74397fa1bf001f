import type { V1Pod } from '@kubernetes/client-node'
import type { Json } from '../../src/drivers/kubernetes/objects.js'
import { parseQuantity } from '../../src/drivers/kubernetes/quantity.js'
import { type ApiObject, isTerminal } from './api-object.js'
import type { ObjectStore } from './object-store.js'
import { forbidden } from './status-error.js'

/** The most of a namespace: of `requests.cpu`, in processors, and of `requests.storage`, in bytes. */
export type Quota = { 'requests.cpu'?: number; 'requests.storage'?: number }

/** Refuses what exceeds the quota, as the admission of the API server does. */
export function checkQuota(
  store: ObjectStore,
  quota: Quota,
  plural: string,
  object: ApiObject,
): void {
  for (const [resource, hard] of Object.entries(quota)) {
    const requested = amountOf(resource, plural, object)
    if (!requested) continue
    const used = store
      .list(plural)
      .filter((one) => !isTerminal(one))
      .reduce((sum, one) => sum + amountOf(resource, plural, one), 0)
    if (used + requested <= hard) continue
    const amounts = `requested: ${resource}=${requested}, used: ${resource}=${used}, limited: ${resource}=${hard}`
    throw forbidden(plural, object.metadata.name, `exceeded quota: notebooks, ${amounts}`)
  }
}

function amountOf(resource: string, plural: string, { spec }: ApiObject): number {
  if (resource === 'requests.cpu' && plural === 'pods') {
    const { containers = [] } = spec as NonNullable<Json<V1Pod>['spec']>
    return containers.reduce(
      (sum, { resources }) => sum + parseQuantity(resources?.requests?.cpu ?? '0'),
      0,
    )
  }
  if (resource === 'requests.storage' && plural === 'persistentvolumeclaims') {
    const { resources } = spec as { resources?: { requests?: { storage?: string } } }
    return parseQuantity(resources?.requests?.storage ?? '0')
  }
  return 0
}
