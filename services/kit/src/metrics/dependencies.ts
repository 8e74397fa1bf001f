import { Gauge, type Registry } from 'prom-client'
import type { Dependency } from '../operations/readiness.js'

/** Reports whether dependencies are available; the returned function reads it. */
export function measureDependencies(
  registry: Registry,
  read: () => Promise<Dependency[]>,
): () => Promise<void> {
  const available = new Gauge({
    name: 'figbase_dependency_available',
    help: 'Whether a server or service that the process depends on is available: 1 or 0.',
    labelNames: ['name', 'required'],
    registers: [registry],
  })
  return async () => {
    const dependencies = await read()
    available.reset()
    for (const { name, isRequired, isAvailable } of dependencies) {
      available.set({ name, required: String(isRequired) }, Number(isAvailable))
    }
  }
}
