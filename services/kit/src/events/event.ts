import {
  type DescMessage,
  fromJson,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf'
import type { Kysely, Transaction } from 'kysely'

/** A kind of event: its payload is a message of the contracts, and holds facts (ids), no content. */
export type EventKind<M extends DescMessage = DescMessage> = {
  /** `<service>.<object>.<past tense>.v<version>` */
  name: string
  schema: M
  /** Events with the same key are handled in the order of their publishing; 512 bytes at most. */
  key(payload: MessageShape<M>): string
}

// The payload's type matters where an event is published and handled, not where kinds are listed.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyEventKind = EventKind<any>

/** An event as it is stored and sent. */
export type EventRecord = {
  /** A UUIDv7; what makes handling it twice impossible. */
  id: string
  name: string
  key: string
  /** When its transaction began, ISO 8601, by the clock of the publisher's database. */
  at: string
  /** The user and the request that led to it; may be empty. */
  actor: string
  requestId: string
  /** What it continues, where that is traced. */
  traceparent?: string | undefined
  payload: JsonValue
}

/** As the outbox keeps it, beside its time. */
export type UntimedEvent = Omit<EventRecord, 'at'>

/** An event as a consumer gets it. */
export type ReceivedEvent<M extends DescMessage> = Omit<EventRecord, 'payload'> & {
  payload: MessageShape<M>
}

/** Handles one kind of event: all its writes go through `tx`, which also records the event. */
export type EventHandler<Ctx> = {
  event: AnyEventKind
  run(ctx: Ctx, tx: AnyTransaction, event: EventRecord, signal: AbortSignal): Promise<void>
}

// A service's own tables matter inside it only.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyTransaction = Transaction<any>
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyDb = Kysely<any>

/** Gets each event of its kinds once in effect, in order per key; its name never changes. */
export type Consumer<Ctx> = {
  name: string
  handlers: EventHandler<Ctx>[]
  /** After the last event of a transaction, which may have many: writes what the handlers have put aside for it. */
  finish?(ctx: Ctx, tx: AnyTransaction): Promise<void>
}

const namePattern = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+){2,}\.v[1-9]\d*$/
const consumerPattern = /^[a-z][a-z0-9-]*$/

export function defineEvent<M extends DescMessage>(kind: EventKind<M>): EventKind<M> {
  if (!namePattern.test(kind.name)) throw new Error(`'${kind.name}' is not the name of an event`)
  return kind
}

export function defineConsumer<Ctx>(consumer: Consumer<Ctx>): Consumer<Ctx> {
  if (!consumerPattern.test(consumer.name)) {
    throw new Error(`'${consumer.name}' is not the name of a consumer`)
  }
  return consumer
}

/** What a consumer does with one kind of event; `signal` fires at `EVENT_TIMEOUT`. */
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
    run(ctx, tx, record, signal) {
      // A newer publisher may have added fields.
      const payload = fromJson(event.schema, record.payload, { ignoreUnknownFields: true })
      return run(ctx, tx, { ...record, payload }, signal)
    },
  }
}

/** The service that publishes an event: the first word of its name. */
export const publisherOf = (name: string): string => name.slice(0, name.indexOf('.'))

export type Payload<M extends DescMessage> = MessageInitShape<M>
