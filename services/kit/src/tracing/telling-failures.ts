import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from '../log.js'

const toldEveryMs = 60_000

/** Logs what could not be sent, once a minute at most, and lets go of it. */
export function tellingFailures(
  exporter: SpanExporter,
  collector: string,
  log: Logger,
): SpanExporter {
  let lost = 0
  let toldAt = Number.NEGATIVE_INFINITY
  const tell = (spans: ReadableSpan[], { code, error }: ExportResult) => {
    if (code === ExportResultCode.SUCCESS) return
    lost += spans.length
    if (performance.now() - toldAt < toldEveryMs) return
    log.warn({ collector, lost, reason: error?.message }, 'the collector does not take the traces')
    toldAt = performance.now()
    lost = 0
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        tell(spans, result)
        done({ code: ExportResultCode.SUCCESS })
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}
