import type { AnyTransaction, Consumer, EventRecord } from './event.js'

export type Handling<Ctx> = {
  ctx: Ctx
  consumer: Consumer<Ctx>
  /** How long one event may take. */
  timeoutMs: number
}

/** Runs the consumer's handler within its time; what it still does after that fails with its `tx`. */
export async function handle<Ctx>(
  { ctx, consumer, timeoutMs }: Handling<Ctx>,
  tx: AnyTransaction,
  event: EventRecord,
): Promise<void> {
  const handler = consumer.handlers.find((one) => one.event.name === event.name)
  if (!handler) return
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
