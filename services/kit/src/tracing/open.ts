import { createLogger } from '../log.js'
import type { Tracing } from '../scope/span.js'
import type { TracingSettings } from './settings.js'

/**
 * Starts tracing; undefined if no collector is configured. Open it first and dispose it last, so that all spans are
 * sent.
 */
export async function openTracing(
  settings: TracingSettings,
  { serviceName, logLevel }: { serviceName: string; logLevel: string },
): Promise<Tracing | undefined> {
  if (!settings.endpoint) return undefined
  // Loaded on demand: the SDK is larger than the rest of the kit.
  const { createTracing } = await import('./otlp.js')
  return createTracing(settings, {
    serviceName: settings.serviceName || serviceName,
    log: createLogger('tracing', logLevel),
  })
}
