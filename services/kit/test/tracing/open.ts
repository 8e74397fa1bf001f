import { EnvReader } from '../../src/config/index.js'
import { openTracing, readTracingSettings, type Tracing } from '../../src/tracing/index.js'

/** Tracing with a short delay to a test collector. */
export async function traceTo(
  endpoint: string,
  env: Record<string, string> = {},
): Promise<Tracing> {
  const reader = new EnvReader({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    ...env,
  })
  const settings = readTracingSettings(reader)
  const tracing = await openTracing(settings, { serviceName: 'figbase-test', logLevel: 'silent' })
  if (!tracing) throw new Error('nothing is traced')
  return tracing
}
