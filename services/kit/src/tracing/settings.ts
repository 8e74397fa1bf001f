import type { EnvReader } from '../config/config.js'

const samplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const

/** Tracing settings, with OpenTelemetry's standard names where they exist. */
export const readTracingSettings = (env: EnvReader) => ({
  endpoint: env.url(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    '',
    'URL of the OpenTelemetry collector (OTLP over HTTP, protobuf), as `http://host:4318`; empty: tracing is disabled',
  ),
  headers: readPairs(
    env,
    'OTEL_EXPORTER_OTLP_HEADERS',
    'headers for the collector, such as credentials: `name=value`, comma-separated, values percent-encoded',
  ),
  timeoutMs: env.positiveInt(
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    10_000,
    'export timeout in milliseconds',
  ),
  sampler: env.oneOf(
    'OTEL_TRACES_SAMPLER',
    samplers,
    'parentbased_always_on',
    'sampler: which requests are traced',
  ),
  ratio: readRatio(
    env,
    'OTEL_TRACES_SAMPLER_ARG',
    'sampling ratio of the `traceidratio` samplers, 0 to 1',
  ),
  serviceName: env.text(
    'OTEL_SERVICE_NAME',
    '',
    'service name in traces; empty: `figbase`, or `figbase-<service>` if each service has its own process',
  ),
  attributes: readPairs(
    env,
    'OTEL_RESOURCE_ATTRIBUTES',
    'further resource attributes of a process: `name=value`, comma-separated, values percent-encoded',
  ),
  queueSpansMax: env.positiveInt(
    'OTEL_BSP_MAX_QUEUE_SIZE',
    2048,
    'maximum number of spans queued for export; more are dropped',
  ),
  delayMs: env.positiveInt(
    'OTEL_BSP_SCHEDULE_DELAY',
    5000,
    'delay in milliseconds between two exports',
  ),
  flushTimeoutMs: env.duration(
    'TRACES_FLUSH_TIMEOUT',
    '2s',
    'how long a shutdown waits for the export of the last spans',
  ),
})

export type TracingSettings = Readonly<ReturnType<typeof readTracingSettings>>

/** Values may be secrets, so no message contains them. */
function readPairs(env: EnvReader, name: string, about: string): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const item of env.list(name, about)) {
    const [, key, value] = /^([^\s=]+)\s*=(.*)$/.exec(item) ?? []
    const decoded = value === undefined ? undefined : decodedOf(value.trim())
    if (key !== undefined && decoded !== undefined) pairs[key] = decoded
    else env.problems.push(`${name} is not valid (${about})`)
  }
  return pairs
}

function decodedOf(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function readRatio(env: EnvReader, name: string, about: string): number {
  const text = env.text(name, '1', about)
  const ratio = Number(text)
  if (/^\d*\.?\d+$/.test(text) && ratio <= 1) return ratio
  env.problems.push(`${name}: '${text}' is not valid (${about})`)
  return 1
}
