import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from '../log.js'

const logEveryMs = 60_000

/** Logs failed exports at most once a minute and drops their spans. */
export function logExportFailures(
  exporter: SpanExporter,
  collector: string,
  log: Logger,
): SpanExporter {
  let dropped = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  const logFailure = (spans: ReadableSpan[], { code, error }: ExportResult) => {
    if (code === ExportResultCode.SUCCESS) return
    dropped += spans.length
    if (performance.now() - loggedAt < logEveryMs) return
    log.warn({ collector, dropped, reason: error?.message }, 'trace export failed')
    loggedAt = performance.now()
    dropped = 0
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        logFailure(spans, result)
        done({ code: ExportResultCode.SUCCESS })
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}
