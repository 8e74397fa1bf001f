import type { Route } from '../../endpoint.js'
import { containerUsagePages } from './container-usage.js'
import { ownUsage } from './own-usage.js'

export const usagePages: Route[] = [ownUsage, ...containerUsagePages]
