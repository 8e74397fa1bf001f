import type { Endpoint } from '../../endpoint.js'
import { organizationUsage, workspaceUsage } from './container-usage.js'
import { ownUsage } from './own-usage.js'

export const aiUsage: Endpoint[] = [ownUsage, workspaceUsage, organizationUsage]
