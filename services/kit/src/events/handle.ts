import { ending, inScope } from '../tracing/scope.js'
import type { Tracing } from '../tracing/span.js'
import type { AnyTransaction, Consumer, EventHandler, EventRecord } from './event.js'

export type Handling<Ctx> = {
  ctx: Ctx
  consumer: Consumer<Ctx>
  /** How long one event may take. */
  timeoutMs: number
  tracing?: Tracing | undefined
}

/**
 * Runs the consumer's handler within its time; what it still does after that fails with its `tx`.
 * It is a part of what the event was published in.
 */
export async function handle<Ctx>(
  options: Handling<Ctx>,
  tx: AnyTransaction,
  event: EventRecord,
): Promise<void> {
  const { consumer, tracing } = options
  const handler = consumer.handlers.find((one) => one.event.name === event.name)
  if (!handler) return
  const { id, name, requestId, traceparent } = event
  const attributes = {
    'messaging.system': 'figbase',
    'messaging.operation.type': 'process',
    'messaging.destination.name': name,
    'messaging.consumer.group.name': consumer.name,
    'messaging.message.id': id,
  }
  const span = tracing?.begin(`process ${name}`, 'consumer', attributes, traceparent)
  const work = inScope({ requestId, span }, () => run(options, handler, tx, event))
  await (span ? ending(span, work) : work)
}

async function run<Ctx>(
  { ctx, timeoutMs }: Handling<Ctx>,
  handler: EventHandler<Ctx>,
  tx: AnyTransaction,
  event: EventRecord,
): Promise<void> {
  const late = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const lateness = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`it took longer than ${timeoutMs} ms (EVENT_TIMEOUT)`)
      late.abort(error)
      reject(error)
    }, timeoutMs)
  })
  try {
    await Promise.race([handler.run(ctx, tx, event, late.signal), lateness])
  } finally {
    clearTimeout(timer)
  }
}

/** What is kept of an error for an operator: its stack, not without bound. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return text.slice(0, 4000).replaceAll('\0', '')
}
