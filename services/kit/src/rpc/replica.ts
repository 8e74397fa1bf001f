import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2'
import { Code, ConnectError } from '@connectrpc/connect'
import type { UniversalClientRequest, UniversalClientResponse } from '@connectrpc/connect/protocol'
import { createNodeHttpClient } from '@connectrpc/connect-node'
import type { CallSettings } from './call-settings.js'
import { type Connection, openConnection, type ReplicaAddress } from './connection.js'
import { responseEnd } from './response-end.js'

/** The call was not sent, because the connection failed. */
export class NotConnected extends Error {
  override name = 'Unreachable'
}

/** The call was sent but got no response. */
export class NoResponse extends Error {
  override name = 'Lost'
  /** Whether the replica reported that it did not process the call. */
  readonly isUnprocessed: boolean

  constructor(cause: unknown, isUnprocessed: boolean) {
    super(messageOf(cause), { cause })
    this.isUnprocessed = isUnprocessed
  }
}

/**
 * Converts a response that ends early, with the connection, to `unavailable`, so that the caller may retry. A connection
 * may also end right after a whole response.
 */
async function* detectLoss({ header, body }: UniversalClientResponse, isLost: () => boolean) {
  const end = responseEnd(header)
  const lost = (cause?: unknown) =>
    new ConnectError(
      'connection lost during the response',
      Code.Unavailable,
      undefined,
      undefined,
      cause,
    )
  try {
    for await (const part of body) {
      end.add(part)
      yield part
    }
  } catch (error) {
    throw isLost() || isPrematureClose(error) ? lost(error) : error
  }
  if (isLost() && !end.isReached()) throw lost()
}

/** Node.js 24 reports so that the connection has ended in the middle of a response. */
const isPrematureClose = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE') ||
    isPrematureClose(error.cause))

/** Reads the first part of a body, which then begins with it. */
async function begin(body: AsyncGenerator<Uint8Array, void>): Promise<AsyncIterable<Uint8Array>> {
  const first = await body.next()
  let isBegun = false
  // Not a generator: one that is left before or at its first part would not end `body`.
  const parts: AsyncIterator<Uint8Array, void> = {
    async next() {
      if (isBegun) return body.next()
      isBegun = true
      return first
    },
    return: () => body.return(),
    throw: (error) => body.throw(error),
  }
  return { [Symbol.asyncIterator]: () => parts }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** One process of a peer: its connection and recent failures. */
export class Replica implements Disposable {
  readonly #address: ReplicaAddress
  readonly #settings: CallSettings
  #connection: Connection | undefined
  #isConnecting = false
  #isRetired = false
  #failures = 0
  #ejectedUntil = 0
  /** By `performance.now()`. */
  lastUsedAt = 0

  constructor(address: ReplicaAddress, settings: CallSettings) {
    this.#address = address
    this.#settings = settings
  }

  /** False while it is ejected after failures; afterwards, true for a single call that tries it. */
  isAvailable(now: number): boolean {
    return this.#failures === 0 || (now >= this.#ejectedUntil && !this.#isConnecting)
  }

  /**
   * Sends a call; `path` is appended to the replica's URL. With `awaitsBody`, a response begins with the first part of its
   * body: the headers of a stream are sent before its handler runs. Throws `NotConnected`, `NoResponse` or the call's error.
   */
  async send(
    path: string,
    request: UniversalClientRequest,
    { awaitsBody }: { awaitsBody: boolean },
  ): Promise<UniversalClientResponse> {
    this.lastUsedAt = performance.now()
    let notConnected: NotConnected | undefined
    let stream: ClientHttp2Stream | undefined
    let session: ClientHttp2Session | undefined
    const client = createNodeHttpClient({
      httpVersion: '2',
      sessionProvider: (url) => ({
        authority: new URL(url).origin,
        request: async (method, path, headers, options) => {
          try {
            session = await this.#open()
            stream = session.request({ ...headers, ':method': method, ':path': path }, options)
            return stream
          } catch (cause) {
            notConnected = new NotConnected(messageOf(cause), { cause })
            throw notConnected
          }
        },
        notifyResponseByteRead() {},
      }),
    })
    const isLost = () => !request.signal?.aborted && (stream?.aborted === true || !!stream?.rstCode)
    let hasHeaders = false
    try {
      const response = await client({ ...request, url: this.#address.url + path })
      this.#failures = 0
      hasHeaders = true
      const body = detectLoss(response, isLost)
      return { ...response, body: awaitsBody ? await begin(body) : body }
    } catch (error) {
      if (request.signal?.aborted) throw error
      if (notConnected) throw notConnected
      const isUnprocessed = stream?.rstCode === constants.NGHTTP2_REFUSED_STREAM
      const isEnded = session?.destroyed || isPrematureClose(error) || (hasHeaders && isLost())
      if (isUnprocessed || isEnded) throw new NoResponse(error, isUnprocessed)
      throw error
    }
  }

  async #open(): Promise<ClientHttp2Session> {
    if (this.#isRetired) throw new Error('the replica was removed')
    const before = this.#connection?.session
    if (!this.#connection || before?.closed || before?.destroyed) this.#connection = this.#connect()
    const { session, opened } = this.#connection
    await opened
    return session
  }

  #connect(): Connection {
    const connection = openConnection(this.#address, this.#settings)
    const { session, opened, closed } = connection
    this.#isConnecting = true
    const onSettled = () => {
      this.#isConnecting = false
    }
    opened.then(onSettled, onSettled)
    let isEnding = false
    // The replica finishes its calls and accepts no new ones: the next call opens another connection.
    session.once('goaway', (code) => {
      isEnding = code === constants.NGHTTP2_NO_ERROR
    })
    void closed.then(() => {
      if (!isEnding && !this.#isRetired) this.#failed(connection.isUnresponsive)
    })
    return connection
  }

  /** Ejects the replica after repeated failures; at once if it is unresponsive, because calls wait long for it. */
  #failed(isUnresponsive: boolean) {
    const { failuresMax, backoffMinMs, backoffMaxMs } = this.#settings
    this.#failures = Math.max(this.#failures + 1, isUnresponsive ? failuresMax : 0)
    const excess = this.#failures - failuresMax
    if (excess < 0) return
    // Jitter, so that not all callers return at the same moment.
    const backoffMs = Math.min(backoffMinMs * 2 ** excess, backoffMaxMs) * (0.5 + Math.random() / 2)
    this.#ejectedUntil = performance.now() + backoffMs
  }

  /** Removes the replica; calls in flight continue. */
  retire() {
    this.#isRetired = true
    this.#connection?.session.close()
  }

  [Symbol.dispose]() {
    this.#isRetired = true
    this.#connection?.session.destroy()
  }
}
