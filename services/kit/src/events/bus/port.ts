import type { JsonValue } from '@bufbuild/protobuf'
import type { EventRecord } from '../event.js'

/** A consumer group: `<service>.<consumer>`, and the names of its events. */
export type Group = { name: string; events: string[] }

/**
 * State of the bus as last seen by the relay of a service. If the epoch changes, the bus may have lost events or has
 * new consumers, so all retained events are sent again.
 */
export type BusState = { epoch: string; position: number }

/** The bus is not in the state that the relay expected; assume that nothing of the batch was stored. */
export class BusChanged extends Error {
  override name = 'BusChanged'
}

/** A consumer that is inactive for longer loses events. */
export const consumerInactivityMaxMs = 7 * 86_400_000

/** Maximum size of a broadcast as JSON, with its subject. */
export const broadcastBytesMax = 7000

/** Carries events from the relays to the consumers: at least once, in order within a shard. */
export type Bus = AsyncDisposable & {
  /** Prepares the bus for a service's events and returns its state; `known` is the state last seen. */
  open(service: string, known: BusState): Promise<BusState>
  /** Stores the events in order; throws `BusChanged` if the bus is no longer in the state `at`. */
  send(service: string, events: EventRecord[], at: BusState): Promise<BusState>
  /**
   * Registers a group, which then receives retained and new events. To be repeated at least daily, else the group
   * counts as inactive.
   */
  subscribe(group: Group): Promise<void>
  /**
   * Delivers a shard's events in order, in batches; handled events are not delivered again. There must be only one
   * receiver per shard. Resolves when `signal` fires; rejects if the bus or `handle` fails, and then unhandled events
   * are redelivered.
   */
  receive(
    group: Group,
    shard: number,
    signal: AbortSignal,
    handle: (events: EventRecord[]) => Promise<void>,
  ): Promise<void>
  /** Sends a message to every process, best effort; throws a RangeError above `broadcastBytesMax`. */
  broadcast(subject: string, message: JsonValue): Promise<void>
  /** `resumed` is called after broadcasts may have been missed. */
  listen(
    subject: string,
    handle: (message: JsonValue) => void,
    resumed?: () => void,
  ): Promise<AsyncDisposable>
  /** Maximum poll interval of a relay that gets no wake signal. */
  pollMsMax: number
  /** Whether the server is available; absent if that is the database. */
  isAvailable?(): Promise<boolean>
}

/** Serializes a broadcast; the size limit holds for both buses. */
export function broadcastText(subject: string, message: JsonValue): string {
  const text = JSON.stringify([subject, message])
  const bytes = Buffer.byteLength(text)
  if (bytes > broadcastBytesMax) {
    throw new RangeError(`a broadcast must have at most ${broadcastBytesMax} bytes, not ${bytes}`)
  }
  return text
}
