import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2'
import { Code, ConnectError } from '@connectrpc/connect'
import type { UniversalClientRequest, UniversalClientResponse } from '@connectrpc/connect/protocol'
import { createNodeHttpClient } from '@connectrpc/connect-node'
import type { CallSettings } from './call-settings.js'
import { type Connection, openConnection, type ReplicaAddress } from './connection.js'

/** The call was not sent: there is no connection. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

/** The call was sent, and not answered. */
export class Lost extends Error {
  override name = 'Lost'
  /** The replica said that it has not begun with it. */
  readonly isRefused: boolean

  constructor(cause: unknown, isRefused: boolean) {
    super(messageOf(cause), { cause })
    this.isRefused = isRefused
  }
}

/** An answer that breaks off in the middle, with the connection, is none: the caller may ask again. */
async function* untilLost(body: AsyncIterable<Uint8Array>, isLost: () => boolean) {
  const lost = (cause?: unknown) =>
    new ConnectError('the answer broke off', Code.Unavailable, undefined, undefined, cause)
  try {
    yield* body
  } catch (error) {
    throw isLost() ? lost(error) : error
  }
  if (isLost()) throw lost()
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** One process of a neighbour: its connection, and how that fared of late. */
export class Replica implements Disposable {
  readonly #address: ReplicaAddress
  readonly #settings: CallSettings
  #connection: Connection | undefined
  #isConnecting = false
  #isOver = false
  #failures = 0
  #outUntil = 0
  /** By the clock of `performance.now()`. */
  triedAt = 0

  constructor(address: ReplicaAddress, settings: CallSettings) {
    this.#address = address
    this.#settings = settings
  }

  /** False for one whose connections failed, until its time is up; then for one call to try it. */
  isUsable(now: number): boolean {
    return this.#failures === 0 || (now >= this.#outUntil && !this.#isConnecting)
  }

  /** `path` goes after the URL of the replica. Throws `Unreachable`, `Lost`, or what ended the call. */
  async send(path: string, request: UniversalClientRequest): Promise<UniversalClientResponse> {
    this.triedAt = performance.now()
    let unreachable: Unreachable | undefined
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
            unreachable = new Unreachable(messageOf(cause), { cause })
            throw unreachable
          }
        },
        notifyResponseByteRead() {},
      }),
    })
    try {
      const response = await client({ ...request, url: this.#address.url + path })
      this.#failures = 0
      const isLost = () =>
        !request.signal?.aborted && (stream?.aborted === true || !!stream?.rstCode)
      return { ...response, body: untilLost(response.body, isLost) }
    } catch (error) {
      if (request.signal?.aborted) throw error
      if (unreachable) throw unreachable
      const isRefused = stream?.rstCode === constants.NGHTTP2_REFUSED_STREAM
      if (isRefused || session?.destroyed) throw new Lost(error, isRefused)
      throw error
    }
  }

  async #open(): Promise<ClientHttp2Session> {
    if (this.#isOver) throw new Error('the replica is gone')
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
    const settled = () => {
      this.#isConnecting = false
    }
    opened.then(settled, settled)
    let isEnding = false
    // It ends what it has and takes nothing new: the next call opens another connection.
    session.once('goaway', (code) => {
      isEnding = code === constants.NGHTTP2_NO_ERROR
    })
    void closed.then(() => {
      if (!isEnding && !this.#isOver) this.#failed(connection.isSilent)
    })
    return connection
  }

  /** Calls wait long for one that is silent: it is left out at once. */
  #failed(isSilent: boolean) {
    const { failuresMax, backoffMinMs, backoffMaxMs } = this.#settings
    this.#failures = Math.max(this.#failures + 1, isSilent ? failuresMax : 0)
    const over = this.#failures - failuresMax
    if (over < 0) return
    // Not all callers shall come back at the same moment.
    const backoffMs = Math.min(backoffMinMs * 2 ** over, backoffMaxMs) * (0.5 + Math.random() / 2)
    this.#outUntil = performance.now() + backoffMs
  }

  /** Calls in flight go on; nobody sends it new ones. */
  retire() {
    this.#isOver = true
    this.#connection?.session.close()
  }

  [Symbol.dispose]() {
    this.#isOver = true
    this.#connection?.session.destroy()
  }
}
