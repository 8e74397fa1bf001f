export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

/** Names are those of OpenTelemetry's conventions; values are never what a caller sent. */
export type Attributes = Record<string, string | number | boolean>

/** One operation of a trace, which may be one that nobody records. */
export type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly isRecorded: boolean
  /** What continues the trace elsewhere, as the W3C header of that name. */
  readonly traceparent: string
  /** An operation that is a part of this one. */
  child(name: string, kind: SpanKind, attributes: Attributes): Span
  /** `error`: the kind of failure, where it failed; never its message, which may hold what a caller sent. */
  end(error?: string, attributes?: Attributes): void
}

export type Tracing = AsyncDisposable & {
  /** Begins a trace, or continues one that came as a `traceparent`; a malformed one counts as none. */
  begin(name: string, kind: SpanKind, attributes: Attributes, traceparent?: string): Span
}
