import { setTimeout as sleep } from 'node:timers/promises'
import type { Operations } from './open.js'

/** The first step of a stop: balancers are told, and may take `delayMs` to look. */
export async function stopBeingReady(operations: Operations | undefined, delayMs: number) {
  operations?.readiness.stopping()
  if (delayMs > 0) await sleep(delayMs)
}
