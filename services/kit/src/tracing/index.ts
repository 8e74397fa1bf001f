export { inScope, type Scope } from '../scope/scope.js'
export type { Span, Tracing } from '../scope/span.js'
export { openTracing } from './open.js'
export { readTracingSettings } from './settings.js'
