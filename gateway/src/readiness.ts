import { type Check, createReadiness, type Readiness } from '@figbase/kit'

const timeoutMs = 2000

/** Whether the gateway is ready, for whoever sends it requests. */
export function openReadiness(services: Map<string, Check>): Readiness {
  const readiness = createReadiness(timeoutMs)
  watchServices(readiness, services)
  readiness.started()
  return readiness
}

/**
 * Each service has requests of its own, so a gateway that reaches one of them is of use; that which reaches
 * none is not.
 */
export function watchServices(readiness: Readiness, services: Map<string, Check>): void {
  for (const [name, check] of services) readiness.uses(name, check)
  const anyAnswers = async () => {
    const answers = [...services.values()].map((check) => check().catch(() => false))
    return (await Promise.all(answers)).includes(true)
  }
  readiness.needs('services', anyAnswers)
}
