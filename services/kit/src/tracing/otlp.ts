import { randomUUID } from 'node:crypto'
import {
  type Span as ApiSpan,
  SpanKind as ApiSpanKind,
  type Context,
  ROOT_CONTEXT,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from '../log.js'
import type { Attributes, Span, SpanKind, Tracing } from '../scope/span.js'
import { tryWithin } from '../timing/memoize.js'
import { logExportFailures } from './log-export-failures.js'
import type { TracingSettings } from './settings.js'

const batchSpansMax = 512

export type TracingOptions = { serviceName: string; log: Logger }

/** Sends spans to the collector in batches in the background. */
export function createTracing(
  settings: TracingSettings,
  { serviceName, log }: TracingOptions,
): Tracing {
  const { endpoint, headers, timeoutMs, queueSpansMax, delayMs, flushTimeoutMs } = settings
  const url = `${endpoint}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: timeoutMs })
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: resourceFromAttributes({
      'service.instance.id': randomUUID(),
      ...settings.attributes,
      'service.name': serviceName,
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: logExportFailures(exporter, new URL(url).host, log),
        maxQueueSize: queueSpansMax,
        maxExportBatchSize: Math.min(batchSpansMax, queueSpansMax),
        scheduledDelayMillis: delayMs,
        exportTimeoutMillis: 2 * timeoutMs,
      }),
    ],
  })
  const tracer = provider.getTracer('figbase')
  const isParentBased = settings.sampler.startsWith('parentbased')
  return {
    begin: (name, kind, attributes, traceparent) =>
      (isParentBased && unsampledParent(traceparent)) ||
      start(tracer, name, kind, attributes, parentOf(traceparent)),
    async [Symbol.asyncDispose]() {
      await tryWithin(flushTimeoutMs, provider.shutdown())
    },
  }
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  switch (sampler) {
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: root.always_on() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: root.always_off() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: root.traceidratio() })
    default:
      return root[sampler]()
  }
}

/** Most calls belong to traces that are not sampled: bypass the SDK for them. */
function unsampledParent(traceparent = ''): Span | undefined {
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-00$/.exec(traceparent) ?? []
  return traceId && spanId ? new UnrecordedSpan(traceId, spanId) : undefined
}

function parentOf(traceparent: string | undefined): Context {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent)
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
}

const kinds: Record<SpanKind, ApiSpanKind> = {
  internal: ApiSpanKind.INTERNAL,
  server: ApiSpanKind.SERVER,
  client: ApiSpanKind.CLIENT,
  consumer: ApiSpanKind.CONSUMER,
}

function start(
  tracer: Tracer,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  parent: Context,
): Span {
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent)
  const { traceId, spanId } = span.spanContext()
  return span.isRecording()
    ? new RecordedSpan(tracer, span, traceId, spanId)
    : new UnrecordedSpan(traceId, spanId)
}

class RecordedSpan implements Span {
  readonly isRecorded = true
  readonly #tracer: Tracer
  readonly #span: ApiSpan

  constructor(
    tracer: Tracer,
    span: ApiSpan,
    readonly traceId: string,
    readonly spanId: string,
  ) {
    this.#tracer = tracer
    this.#span = span
  }

  get traceparent() {
    return `00-${this.traceId}-${this.spanId}-01`
  }

  child(name: string, kind: SpanKind, attributes: Attributes): Span {
    const parent = trace.setSpan(ROOT_CONTEXT, this.#span)
    return start(this.#tracer, name, kind, attributes, parent)
  }

  end(error?: string, attributes?: Attributes) {
    if (attributes) this.#span.setAttributes(attributes)
    if (error !== undefined) {
      this.#span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR })
    }
    this.#span.end()
  }
}

/** A span that is not sampled; neither are its children, in any process. */
class UnrecordedSpan implements Span {
  readonly isRecorded = false

  constructor(
    readonly traceId: string,
    readonly spanId: string,
  ) {}

  get traceparent() {
    return `00-${this.traceId}-${this.spanId}-00`
  }

  child() {
    return this
  }

  end() {}
}
