import type { EnvReader } from '../config.js'

const samplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const

/** Where traces go, and how many: the names are OpenTelemetry's own where it has one. */
export const readTracingSettings = (env: EnvReader) => ({
  endpoint: env.url(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    '',
    'the OpenTelemetry collector that gets the traces (OTLP over HTTP, protobuf), as `http://host:4318`; empty: nothing is traced',
  ),
  headers: readPairs(
    env,
    'OTEL_EXPORTER_OTLP_HEADERS',
    'what it is sent as headers, for example its credentials: `name=value`, several with commas, values percent-encoded',
  ),
  timeoutMs: env.positiveInt(
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    10_000,
    'milliseconds that it may take to accept some',
  ),
  sampler: env.oneOf(
    'OTEL_TRACES_SAMPLER',
    samplers,
    'parentbased_always_on',
    'which requests are traced',
  ),
  ratio: readRatio(
    env,
    'OTEL_TRACES_SAMPLER_ARG',
    'of the samplers with a ratio: the part that is traced, 0 to 1',
  ),
  serviceName: env.text(
    'OTEL_SERVICE_NAME',
    '',
    'what a process is called in traces; empty: `figbase`, and `figbase-<service>` where each has its own',
  ),
  attributes: readPairs(
    env,
    'OTEL_RESOURCE_ATTRIBUTES',
    'what else is told of a process, as `name=value`, several with commas, values percent-encoded',
  ),
  queueSpansMax: env.positiveInt(
    'OTEL_BSP_MAX_QUEUE_SIZE',
    2048,
    'operations that a process keeps until they are sent; more are dropped',
  ),
  delayMs: env.positiveInt(
    'OTEL_BSP_SCHEDULE_DELAY',
    5000,
    'milliseconds that they are gathered before they are sent',
  ),
  flushTimeoutMs: env.duration(
    'TRACES_FLUSH_TIMEOUT',
    '2s',
    'how long a stop waits for the collector to accept the last ones',
  ),
})

export type TracingSettings = Readonly<ReturnType<typeof readTracingSettings>>

/** Values may be secrets: no message shows them. */
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
