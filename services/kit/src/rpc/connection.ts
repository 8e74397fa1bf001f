import { type ClientHttp2Session, connect } from 'node:http2'
import type { LookupFunction } from 'node:net'
import type { CallSettings } from './call-settings.js'

/** One IP address of a peer's URL; `url` has no trailing slash. */
export type ReplicaAddress = { url: string; ip: string; family: number }

export type Connection = {
  readonly session: ClientHttp2Session
  /** Resolves with the peer's first frame: a peer that hangs or refuses certificates still accepts connections. */
  readonly opened: Promise<void>
  /** Resolves when the connection has ended for whatever reason. */
  readonly closed: Promise<void>
  /** Whether it was closed because a ping timed out. */
  isUnresponsive: boolean
}

/**
 * Opens an HTTP/2 connection to one address and pings it regularly. Connect's own session manager restarts its ping
 * timer with each call, so calls with short deadlines would prevent it from detecting an unresponsive peer.
 */
export function openConnection(address: ReplicaAddress, settings: CallSettings): Connection {
  const { connectTimeoutMs, tls } = settings
  const session = connect(new URL(address.url).origin, { ...tls, lookup: lookupOf(address) })
  const { socket } = session
  // A session may emit no `close` event if its socket was reset during a write.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const opened = new Promise<void>((resolve, reject) => {
    const timeout = setTimeout(() => {
      const error = new Error(`connection timed out after ${connectTimeoutMs} ms`)
      reject(error)
      session.destroy(error)
    }, connectTimeoutMs)
    session.once('remoteSettings', () => {
      clearTimeout(timeout)
      resolve()
    })
    session.on('error', reject)
    socket.on('error', reject)
    void closed.then(() => {
      clearTimeout(timeout)
      reject(new Error('connection closed'))
    })
  })
  const connection: Connection = { session, opened, closed, isUnresponsive: false }
  // A failure is reported by `opened`, if a call still waits for it.
  opened.then(
    () => keepAlive(connection, settings),
    () => {},
  )
  return connection
}

/** Connects to the IP address, while TLS and `:authority` use the host name. */
const lookupOf =
  ({ ip, family }: ReplicaAddress): LookupFunction =>
  (_host, { all }, done) => {
    if (all) done(null, [{ address: ip, family }])
    else done(null, ip, family)
  }

function keepAlive(connection: Connection, settings: CallSettings) {
  const { session, closed } = connection
  const { pingIntervalMs, pingTimeoutMs } = settings
  let timeout: NodeJS.Timeout | undefined
  const onPingTimeout = () => {
    if (!timeout) return
    connection.isUnresponsive = true
    session.destroy(new Error(`ping timed out after ${pingTimeoutMs} ms`))
  }
  const onPong = () => {
    clearTimeout(timeout)
    timeout = undefined
  }
  const every = setInterval(() => {
    if (timeout || session.destroyed) return
    // If this process was busy, the response may be waiting in the socket: read it first.
    timeout = setTimeout(() => setImmediate(onPingTimeout), pingTimeoutMs)
    session.ping(onPong)
  }, pingIntervalMs)
  void closed.then(() => {
    clearInterval(every)
    onPong()
  })
}
