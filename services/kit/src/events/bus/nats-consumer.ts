import { setTimeout as sleep } from 'node:timers/promises'
import {
  AckPolicy,
  type ConsumerInfo,
  DeliverPolicy,
  JetStreamApiCodes,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { Logger } from '../../log.js'
import { WakeSignal } from '../../timing/wake-signal.js'
import type { EventRecord } from '../event.js'
import { apiCodeOf, durableOf, filterOf, streamOf } from './nats-names.js'
import type { Group } from './port.js'

export type StreamReader = {
  js: JetStreamClient
  jsm: JetStreamManager
  group: Group
  /** The service that publishes to the stream. */
  service: string
  shard: number
  log: Logger
}

const batchMax = 200
const ackPendingMax = 2 * batchMax
const ackWaitMs = 60_000
const pollMs = 1000
const pullMs = 5000
const heartbeatMs = 1000

/**
 * Reads one shard of a service's stream through a durable pull consumer. The server redelivers messages in the order
 * of their expiry, so order is lost when a reader takes over from one that died. Therefore there is one reader (the
 * lease holder), sequence numbers must be consecutive, and a reader that finds unacknowledged messages recreates the
 * consumer behind the last acknowledged one.
 */
export async function receiveFromStream(
  reader: StreamReader,
  signal: AbortSignal,
  handle: (events: EventRecord[]) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const info = await openConsumer(reader)
    if (info) await read(reader, info, signal, handle)
    // The publishing service has not created the stream yet.
    else await sleep(pollMs, undefined, { signal }).catch(() => {})
  }
}

async function read(
  { js, log }: StreamReader,
  { stream_name, name, delivered }: ConsumerInfo,
  signal: AbortSignal,
  handle: (events: EventRecord[]) => Promise<void>,
) {
  const queue: JsMsg[] = []
  const wakeSignal = new WakeSignal()
  const consumer = await js.consumers.get(stream_name, name)
  const messages = await consumer.consume({
    max_messages: batchMax,
    abort_on_missing_resource: true,
    // A pull request to a stream that is being recreated gets no response: keep its expiry short.
    expires: pullMs,
    idle_heartbeat: heartbeatMs,
    callback(message) {
      queue.push(message)
      wakeSignal.notify()
    },
  })
  let end: { error?: unknown } | undefined
  void messages.closed().then((error) => {
    end = { error }
    wakeSignal.notify()
  })
  const order = inOrder(delivered.consumer_seq)
  try {
    while (!signal.aborted) {
      const batch = order.take(queue.splice(0, batchMax))
      if (batch.length > 0) {
        const events = batch.flatMap((message) => parse(message, log))
        if (events.length > 0) await handle(events)
        for (const message of batch) message.ack()
        order.handled(batch)
      } else if (end) throw end.error ?? new Error('consumer closed')
      else await wakeSignal.wait(pollMs, signal)
    }
  } finally {
    await messages.close()
  }
}

/** Passes on messages that are delivered for the first time, and throws if one is missing in between. */
function inOrder(delivered: number) {
  let last = delivered
  let seen = 0
  let handled = 0
  return {
    take(messages: JsMsg[]): JsMsg[] {
      return messages.filter((message) => {
        const { deliverySequence, streamSequence } = message.info
        if (deliverySequence !== last + 1)
          throw new Error('messages were delivered to another reader')
        last = deliverySequence
        if (streamSequence <= seen) {
          // Redelivered because its acknowledgement was late or lost.
          if (streamSequence <= handled) message.ack()
          return false
        }
        seen = streamSequence
        return true
      })
    },
    handled(messages: JsMsg[]) {
      handled = messages.at(-1)?.seq ?? handled
    },
  }
}

function parse(message: JsMsg, log: Logger): EventRecord[] {
  try {
    return [message.json<EventRecord>()]
  } catch (err) {
    log.error({ err, subject: message.subject, seq: message.seq }, 'invalid event dropped')
    message.term()
    return []
  }
}

/** Undefined if the stream does not exist. */
async function openConsumer(reader: StreamReader): Promise<ConsumerInfo | undefined> {
  const { jsm, group, service, shard } = reader
  const stream = streamOf(service)
  const durable = durableOf(group, shard)
  try {
    const found = await jsm.consumers.info(stream, durable)
    const hasNoPending = found.num_ack_pending === 0 && found.num_redelivered === 0
    if (hasNoPending && found.config.filter_subject === filterOf(group, service, shard))
      return found
    await jsm.consumers.delete(stream, durable)
    return await addConsumer(reader, found.ack_floor.stream_seq + 1)
  } catch (error) {
    const code = apiCodeOf(error)
    if (code === JetStreamApiCodes.StreamNotFound) return undefined
    if (code === JetStreamApiCodes.ConsumerNotFound) return await addConsumer(reader, 1)
    throw error
  }
}

function addConsumer({ jsm, group, service, shard }: StreamReader, from: number) {
  return jsm.consumers.add(streamOf(service), {
    durable_name: durableOf(group, shard),
    filter_subject: filterOf(group, service, shard),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: from,
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: ackPendingMax,
  })
}
