import { type Check, createReadiness, type Readiness } from '@figbase/kit/operations'

const timeoutMs = 2000

/** The readiness that `/readyz` reports. */
export function openReadiness(services: Map<string, Check>): Readiness {
  const readiness = createReadiness(timeoutMs)
  watchServices(readiness, services)
  readiness.started()
  return readiness
}

/**
 * Ready while at least one service is reachable: each service answers requests of its own, so the gateway is
 * useful as long as it reaches one of them.
 */
export function watchServices(readiness: Readiness, services: Map<string, Check>): void {
  for (const [name, check] of services) readiness.uses(name, check)
  const isAnyReachable = async () => {
    const answers = [...services.values()].map((check) => check().catch(() => false))
    return (await Promise.all(answers)).includes(true)
  }
  readiness.needs('services', isAnyReachable)
}
