import type { JsonValue } from '@bufbuild/protobuf'
import type { EventRecord } from '../event.js'

/** A consumer as the bus knows it: `<service>.<consumer>`, and the names of its events. */
export type Group = { name: string; events: string[] }

/**
 * What the relay of a service remembers of the bus. An epoch that has changed says that the bus may
 * lack events that it had, or has consumers that never got them: all that is kept is sent again.
 */
export type BusState = { epoch: string; position: number }

/** The bus is not what the relay takes it for; nothing of the batch may be assumed to be on it. */
export class BusChanged extends Error {
  override name = 'BusChanged'
}

/** A consumer may be away for so long before it loses events. */
export const awayMaxMs = 7 * 86_400_000

/** The size of a broadcast's message as JSON, with its subject. */
export const broadcastBytesMax = 7000

/** Carries events from the relays to the consumers: at least once, in order within a shard. */
export type Bus = AsyncDisposable & {
  /** Prepares the bus for a service's events, and tells its state; `known` is the last one seen. */
  open(service: string, known: BusState): Promise<BusState>
  /** Stores the events in this order; throws `BusChanged` when the bus is no longer as in `at`. */
  send(service: string, events: EventRecord[], at: BusState): Promise<BusState>
  /**
   * Makes a group known: it gets what is published from then on, and what is still kept. To be
   * repeated each day at least, or it counts as away.
   */
  subscribe(group: Group): Promise<void>
  /**
   * Hands over a shard's events in order, a batch at a time; one that was handled is not delivered
   * again. Who calls this is the only one to do so for the shard. Resolves when `signal` fires,
   * rejects when the bus fails or `handle` does: then what was not handled comes again.
   */
  receive(
    group: Group,
    shard: number,
    signal: AbortSignal,
    handle: (events: EventRecord[]) => Promise<void>,
  ): Promise<void>
  /** Tells every process, best effort; throws a RangeError above `broadcastBytesMax`. */
  broadcast(subject: string, message: JsonValue): Promise<void>
  /** `resumed` is called when broadcasts are heard again after some may have been missed. */
  listen(
    subject: string,
    heard: (message: JsonValue) => void,
    resumed?: () => void,
  ): Promise<AsyncDisposable>
  /** How long a relay may rest when it hears nothing, in milliseconds. */
  restMsMax: number
  /** Whether its server answers; absent where that is the database. */
  answers?(): Promise<boolean>
}

/** The text of a broadcast, if it is short enough for both buses. */
export function broadcastText(subject: string, message: JsonValue): string {
  const text = JSON.stringify([subject, message])
  const bytes = Buffer.byteLength(text)
  if (bytes > broadcastBytesMax) {
    throw new RangeError(`a broadcast has ${broadcastBytesMax} bytes at most, not ${bytes}`)
  }
  return text
}
