import {
  type DescMessage,
  fromJson,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf'
import type { Kysely, Transaction } from 'kysely'
import type { BatchConsumer } from './batch-consumer.js'

/** A kind of event. Its payload is a protobuf message of facts (ids) without content. */
export type EventKind<M extends DescMessage = DescMessage> = {
  /** `<service>.<object>.<past tense>.v<version>` */
  name: string
  schema: M
  /** Events with the same key are handled in the order of publication; at most 512 bytes. */
  key(payload: MessageShape<M>): string
}

// The payload's type matters where an event is published and handled, not where kinds are listed.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyEventKind = EventKind<any>

/** An event as stored and sent. */
export type EventRecord = {
  /** A UUIDv7; the inbox uses it to handle the event only once. */
  id: string
  name: string
  key: string
  /** Start of its transaction, ISO 8601, by the clock of the publisher's database. */
  at: string
  /** The user and the request that caused it; may be empty. */
  actor: string
  requestId: string
  /** The trace that it continues, if any. */
  traceparent?: string | undefined
  payload: JsonValue
}

/** An event as stored in the outbox, which has the time in a column. */
export type UntimedEvent = Omit<EventRecord, 'at'>

/** An event as passed to a consumer. */
export type ReceivedEvent<M extends DescMessage> = Omit<EventRecord, 'payload'> & {
  payload: MessageShape<M>
}

/** Handles one kind of event. All writes must go through `tx`, which also writes the inbox entry. */
export type EventHandler<Ctx> = {
  event: AnyEventKind
  run(ctx: Ctx, tx: AnyTransaction, event: EventRecord, signal: AbortSignal): Promise<void>
}

// A service's own tables matter inside it only.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyTransaction = Transaction<any>
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyDb = Kysely<any>

/** Handles each event effectively once, in order per key. Its name must never change. */
export type Consumer<Ctx> = HandlingConsumer<Ctx> | BatchConsumer<Ctx>

/** A consumer that handles event by event. */
export type HandlingConsumer<Ctx> = { name: string; handlers: EventHandler<Ctx>[] }

const namePattern = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+){2,}\.v[1-9]\d*$/
const consumerPattern = /^[a-z][a-z0-9-]*$/

export function defineEvent<M extends DescMessage>(kind: EventKind<M>): EventKind<M> {
  if (!namePattern.test(kind.name)) throw new Error(`'${kind.name}' is not a valid event name`)
  return kind
}

export function defineConsumer<Ctx>(consumer: HandlingConsumer<Ctx>): HandlingConsumer<Ctx> {
  checkConsumerName(consumer.name)
  return consumer
}

export function checkConsumerName(name: string): void {
  if (!consumerPattern.test(name)) throw new Error(`'${name}' is not a valid consumer name`)
}

/** Defines the handler of one kind of event; `signal` fires after `EVENT_TIMEOUT`. */
export function on<Ctx, DB, M extends DescMessage>(
  event: EventKind<M>,
  run: (
    ctx: Ctx,
    tx: Transaction<DB>,
    event: ReceivedEvent<M>,
    signal: AbortSignal,
  ) => Promise<void>,
): EventHandler<Ctx> {
  return {
    event,
    run: (ctx, tx, record, signal) => run(ctx, tx, received(event, record), signal),
  }
}

export function received<M extends DescMessage>(
  { schema }: EventKind<M>,
  record: EventRecord,
): ReceivedEvent<M> {
  // A newer publisher may have added fields.
  const payload = fromJson(schema, record.payload, { ignoreUnknownFields: true })
  return { ...record, payload }
}

/** The service that publishes an event: the first part of its name. */
export const publisherOf = (name: string): string => name.slice(0, name.indexOf('.'))

export type Payload<M extends DescMessage> = MessageInitShape<M>
