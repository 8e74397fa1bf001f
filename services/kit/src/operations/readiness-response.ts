import type { ReadinessState } from './readiness.js'

/** Status and body of a response to `/readyz`. */
export function readinessResponse({ notReady, degraded }: ReadinessState): {
  status: number
  body: object
} {
  const isReady = notReady.length === 0
  const status = isReady ? 'ready' : 'not ready'
  return { status: isReady ? 200 : 503, body: { status, not_ready: notReady, degraded } }
}
