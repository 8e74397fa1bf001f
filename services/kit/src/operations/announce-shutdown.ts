import { setTimeout as sleep } from 'node:timers/promises'
import type { Operations } from './open.js'

/** First step of a shutdown: `/readyz` fails, and load balancers get `delayMs` to notice. */
export async function announceShutdown(operations: Operations | undefined, delayMs: number) {
  operations?.readiness.stopping()
  if (delayMs > 0) await sleep(delayMs)
}
