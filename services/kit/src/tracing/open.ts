import { createLogger } from '../log.js'
import type { TracingSettings } from './settings.js'
import type { Tracing } from './span.js'

/**
 * Begins to trace where the settings name a collector; undefined elsewhere. To be opened first and
 * disposed last: then what is traced until the end is sent.
 */
export async function openTracing(
  settings: TracingSettings,
  { serviceName, logLevel }: { serviceName: string; logLevel: string },
): Promise<Tracing | undefined> {
  if (!settings.endpoint) return undefined
  // The SDK is loaded only where it is used: it is larger than all the rest of the kit.
  const { createTracing } = await import('./otlp.js')
  return createTracing(settings, {
    serviceName: settings.serviceName || serviceName,
    log: createLogger('tracing', logLevel),
  })
}
