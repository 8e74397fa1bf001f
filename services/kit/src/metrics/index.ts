export type { Metrics, RequestServed } from './metrics.js'
