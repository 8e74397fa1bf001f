import { environmentPolicies } from './environment.js'
import { networkPolicies } from './network.js'
import { objectPolicies } from './objects.js'
import type { Policy } from './policy.js'
import { securityPolicies } from './security.js'

export type { Rendered } from './policy.js'

export const policies: Policy[] = [
  ...securityPolicies,
  ...objectPolicies,
  ...environmentPolicies,
  ...networkPolicies,
]
