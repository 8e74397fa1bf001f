export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

/** Attributes by OpenTelemetry's semantic conventions; values never contain input of callers. */
export type Attributes = Record<string, string | number | boolean>

/** One operation of a trace, sampled or not. */
export type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly isRecorded: boolean
  /** W3C `traceparent` header by which another process continues the trace. */
  readonly traceparent: string
  /** Begins a child span. */
  child(name: string, kind: SpanKind, attributes: Attributes): Span
  /** `error`: the kind of failure, if any; never a message, which may contain input of callers. */
  end(error?: string, attributes?: Attributes): void
}

export type Tracing = AsyncDisposable & {
  /** Begins a trace, or continues that of `traceparent`; an invalid one is ignored. */
  begin(name: string, kind: SpanKind, attributes: Attributes, traceparent?: string): Span
}
