import type { AfterCommit } from '../db/after-commit.js'
import { ending, inScope } from '../scope/scope.js'
import type { Tracing } from '../scope/span.js'
import { type BatchConsumer, isBatchConsumer } from './batch-consumer.js'
import type {
  AnyTransaction,
  Consumer,
  EventHandler,
  EventRecord,
  HandlingConsumer,
} from './event.js'

export type Handling<Ctx> = {
  ctx: Ctx
  consumer: Consumer<Ctx>
  /** Timeout per event. */
  timeoutMs: number
  /** Registers a callback for after the commit. */
  afterCommit: AfterCommit['register']
  tracing?: Tracing | undefined
}

/** Handles events whose inbox entries were written by this or an earlier transaction. */
export async function handleAll<Ctx>(
  options: Handling<Ctx>,
  tx: AnyTransaction,
  events: EventRecord[],
): Promise<void> {
  const { consumer, ctx, afterCommit } = options
  if (isBatchConsumer(consumer)) {
    const rows = await rowsOf(options, consumer, events)
    if (!rows.some((row) => row !== null)) return
    const [answer] = await consumer.write(tx, rows)
    afterCommit(tx, () => consumer.onWritten(ctx, answer?.has_also_written ?? false))
  } else for (const event of events) await handle(options, consumer, tx, event)
}

/** The rows to write as JSON; null: no row for this event. */
export async function rowsOf<Ctx>(
  options: Handling<Ctx>,
  { handlers }: BatchConsumer<Ctx>,
  events: EventRecord[],
): Promise<(string | null)[]> {
  const rows: (string | null)[] = []
  for (const event of events) {
    const handler = handlers.find((one) => one.event.name === event.name)
    const row = await inEventScope(options, event, async () => handler?.rowOf(event))
    rows.push(row === undefined ? null : JSON.stringify(row))
  }
  return rows
}

/** Runs the consumer's handler with a timeout; later writes of a handler fail with its `tx`. */
async function handle<Ctx>(
  options: Handling<Ctx>,
  { handlers }: HandlingConsumer<Ctx>,
  tx: AnyTransaction,
  event: EventRecord,
): Promise<void> {
  const handler = handlers.find((one) => one.event.name === event.name)
  if (handler) await inEventScope(options, event, () => run(options, handler, tx, event))
}

/** Runs work in the scope of the request and trace that published the event. */
async function inEventScope<Ctx, T>(
  { consumer, tracing }: Handling<Ctx>,
  { id, name, requestId, traceparent }: EventRecord,
  work: () => Promise<T>,
): Promise<T> {
  const attributes = {
    'messaging.system': 'figbase',
    'messaging.operation.type': 'process',
    'messaging.destination.name': name,
    'messaging.consumer.group.name': consumer.name,
    'messaging.message.id': id,
  }
  const span = tracing?.begin(`process ${name}`, 'consumer', attributes, traceparent)
  const working = inScope({ requestId, span }, work)
  return span ? ending(span, working) : working
}

async function run<Ctx>(
  { ctx, timeoutMs }: Handling<Ctx>,
  handler: EventHandler<Ctx>,
  tx: AnyTransaction,
  event: EventRecord,
): Promise<void> {
  const timeout = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`timed out after ${timeoutMs} ms (EVENT_TIMEOUT)`)
      timeout.abort(error)
      reject(error)
    }, timeoutMs)
  })
  try {
    await Promise.race([handler.run(ctx, tx, event, timeout.signal), timedOut])
  } finally {
    clearTimeout(timer)
  }
}

/** The stored text of an error: its stack, truncated. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return text.slice(0, 4000).replaceAll('\0', '')
}
