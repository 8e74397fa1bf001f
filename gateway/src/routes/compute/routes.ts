import type { Endpoint } from '../../endpoint.js'
import { commandRoutes } from './commands.js'
import { inWorkspace } from './in-workspace.js'
import { instance } from './instance.js'
import { listTiers } from './tiers.js'
import { usageRoutes } from './usage.js'

export const compute: Endpoint[] = [
  listTiers,
  ...inWorkspace,
  ...instance,
  ...commandRoutes,
  ...usageRoutes,
]
