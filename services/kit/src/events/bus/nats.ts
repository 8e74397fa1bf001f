import type { JsonValue } from '@bufbuild/protobuf'
import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream'
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node'
import { ConfigError } from '../../config/config.js'
import type { Logger } from '../../log.js'
import { type EventRecord, publisherOf } from '../event.js'
import { receiveFromStream } from './nats-consumer.js'
import { apiCodeOf, streamOf, subjectOf } from './nats-names.js'
import {
  type Bus,
  BusChanged,
  type BusState,
  broadcastText,
  consumerInactivityMaxMs,
} from './port.js'

export type NatsBusOptions = {
  /** `nats://user:password@host:port`, or several, comma-separated. */
  url: string
  /** Connection timeout per server. */
  connectTimeoutMs: number
  log: Logger
}

const duplicateWindowMs = 120_000
const pingMs = 5000
const pollMsMax = 1000
const broadcasts = 'figbase_broadcasts'

/** The event bus on NATS JetStream (server 2.9 or newer), with a stream per publishing service. */
export async function connectNatsBus({ url, connectTimeoutMs, log }: NatsBusOptions): Promise<Bus> {
  const { connection, jsm } = await open(url, connectTimeoutMs)
  void watch(connection, log)
  const js = jetstream(connection)
  const listeners = new Map<string, Set<(message: JsonValue) => void>>()
  connection.subscribe(broadcasts, {
    callback(_, message) {
      const [subject, content] = message.json<[string, JsonValue]>()
      for (const handle of listeners.get(subject) ?? []) handle(content)
    },
  })
  return {
    open: (service, known) => openStream(jsm, service, known),
    send: (service, events, at) => publish(js, service, events, at),
    // A stream keeps events for later consumers, so no subscription is stored.
    subscribe: async () => {},
    async receive(group, shard, signal, handle) {
      const failing = new AbortController()
      const ending = AbortSignal.any([signal, failing.signal])
      const readers = [...new Set(group.events.map(publisherOf))].map((service) =>
        receiveFromStream({ js, jsm, group, service, shard, log }, ending, handle).catch(
          (error) => {
            failing.abort()
            throw error
          },
        ),
      )
      for (const end of await Promise.allSettled(readers)) {
        if (end.status === 'rejected') throw end.reason
      }
    },
    async broadcast(subject, message) {
      connection.publish(broadcasts, broadcastText(subject, message))
    },
    pollMsMax,
    async listen(subject, handle) {
      const handlers = listeners.get(subject) ?? new Set()
      listeners.set(subject, handlers.add(handle))
      await connection.flush()
      return { [Symbol.asyncDispose]: async () => void handlers.delete(handle) }
    },
    isAvailable: () =>
      jsm.getAccountInfo().then(
        () => true,
        () => false,
      ),
    async [Symbol.asyncDispose]() {
      await connection.close()
    },
  }
}

async function open(
  url: string,
  timeout: number,
): Promise<{ connection: NatsConnection; jsm: JetStreamManager }> {
  const servers = url.split(',').map((one) => new URL(one.trim()))
  const [first] = servers
  const addresses = servers.map((one) => one.host)
  let connection: NatsConnection | undefined
  try {
    connection = await connect({
      servers: addresses,
      name: 'figbase',
      timeout,
      maxReconnectAttempts: -1,
      // The connection is considered lost after two unanswered pings.
      pingInterval: pingMs,
      maxPingOut: 2,
      ...(first?.username && { user: decodeURIComponent(first.username) }),
      ...(first?.password && { pass: decodeURIComponent(first.password) }),
      ...(first?.protocol === 'tls:' && { tls: {} }),
    })
    return { connection, jsm: await jetstreamManager(connection, { timeout }) }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const what = connection
      ? `has no JetStream (its configuration needs \`jetstream { store_dir: … }\`)`
      : 'is unavailable'
    await connection?.close()
    throw new ConfigError(`NATS_URL: NATS at ${addresses.join(', ')} ${what}: ${reason}`, {
      cause,
    })
  }
}

async function watch(connection: NatsConnection, log: Logger) {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') log.warn('NATS connection lost')
    if (type === 'reconnect') log.info('NATS connection restored')
  }
}

/**
 * The epoch is the stream's creation time, the position its last sequence number. A stream behind the known position
 * has lost its end (servers write to disk after they acknowledge). Its consumers may be ahead of it, so it is
 * recreated.
 */
async function openStream(
  jsm: JetStreamManager,
  service: string,
  known: BusState,
): Promise<BusState> {
  const name = streamOf(service)
  let found: StreamInfo | undefined
  try {
    found = await jsm.streams.info(name)
  } catch (error) {
    if (apiCodeOf(error) !== JetStreamApiCodes.StreamNotFound) throw error
  }
  if (found?.created === known.epoch && found.state.last_seq < known.position) {
    await jsm.streams.delete(name)
    found = undefined
  }
  found ??= await jsm.streams.add({
    name,
    subjects: [`${subjectOf(service)}.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    max_age: nanos(consumerInactivityMaxMs),
    duplicate_window: nanos(duplicateWindowMs),
  })
  return { epoch: found.created, position: found.state.last_seq }
}

/**
 * Each message carries the expected last sequence number, so a stream that was wiped, or is written by another
 * relay, rejects it. Only the relay of the service writes to its stream.
 */
async function publish(
  js: JetStreamClient,
  service: string,
  events: EventRecord[],
  { epoch, position }: BusState,
): Promise<BusState> {
  const sent = await Promise.allSettled(
    events.map((event, index) => store(js, service, event, position + index)),
  )
  let last = position
  for (const one of sent) {
    if (one.status === 'fulfilled') {
      last = Math.max(last, one.value)
      continue
    }
    if (!isWrongSequence(one.reason)) throw one.reason
    // A relay that died had stored some already, so the sequence numbers of the others are unknown.
    return { epoch, position: await publishOneByOne(js, service, events, last) }
  }
  return { epoch, position: last }
}

async function publishOneByOne(
  js: JetStreamClient,
  service: string,
  events: EventRecord[],
  position: number,
): Promise<number> {
  let last = position
  try {
    for (const event of events) {
      last = Math.max(last, await store(js, service, event, last))
    }
    return last
  } catch (error) {
    if (isWrongSequence(error))
      throw new BusChanged('unexpected last sequence of the stream', { cause: error })
    throw error
  }
}

async function store(js: JetStreamClient, service: string, event: EventRecord, after: number) {
  const options = { msgID: event.id, expect: { lastSequence: after } }
  const subject = subjectOf(service, event)
  const { seq } = await js.publish(subject, JSON.stringify(event), options)
  return seq
}

const isWrongSequence = (error: unknown) =>
  error instanceof JetStreamApiError &&
  apiCodeOf(error) === JetStreamApiCodes.StreamWrongLastSequence
