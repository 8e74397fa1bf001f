import { type ClientHttp2Session, connect } from 'node:http2'
import type { LookupFunction } from 'node:net'
import type { CallSettings } from './call-settings.js'

/** One address behind the URL of a neighbour; `url` has no trailing slash. */
export type ReplicaAddress = { url: string; ip: string; family: number }

export type Connection = {
  readonly session: ClientHttp2Session
  /** The peer has spoken: one that hangs takes connections, and so does one that refuses certificates. */
  readonly opened: Promise<void>
  /** Resolves when it is over, however it ends. */
  readonly closed: Promise<void>
  /** It was given up because the peer does not answer pings. */
  isSilent: boolean
}

/**
 * Opens an HTTP/2 connection to this one address. It is pinged as long as it is open, whatever
 * calls do: the pings of Connect's own session manager begin anew with each call, so that calls
 * with short deadlines would keep it from ever finding a peer that fell silent.
 */
export function openConnection(address: ReplicaAddress, settings: CallSettings): Connection {
  const { connectTimeoutMs, tls } = settings
  const session = connect(new URL(address.url).origin, { ...tls, lookup: lookupOf(address) })
  const { socket } = session
  // A session whose socket was reset while it wrote never says that it is closed.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const opened = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      const error = new Error(`no connection within ${connectTimeoutMs} ms`)
      reject(error)
      session.destroy(error)
    }, connectTimeoutMs)
    session.once('remoteSettings', () => {
      clearTimeout(late)
      resolve()
    })
    session.on('error', reject)
    socket.on('error', reject)
    void closed.then(() => {
      clearTimeout(late)
      reject(new Error('the connection was closed'))
    })
  })
  const connection: Connection = { session, opened, closed, isSilent: false }
  // When it fails, the call that wanted it may have ended.
  opened.then(
    () => keepAlive(connection, settings),
    () => {},
  )
  return connection
}

/** The host's name stays what TLS and the `:authority` go by. */
const lookupOf =
  ({ ip, family }: ReplicaAddress): LookupFunction =>
  (_host, { all }, done) => {
    if (all) done(null, [{ address: ip, family }])
    else done(null, ip, family)
  }

function keepAlive(connection: Connection, settings: CallSettings) {
  const { session, closed } = connection
  const { pingIntervalMs, pingTimeoutMs } = settings
  let late: NodeJS.Timeout | undefined
  const giveUp = () => {
    if (!late) return
    connection.isSilent = true
    session.destroy(new Error(`no answer to a ping within ${pingTimeoutMs} ms`))
  }
  const answered = () => {
    clearTimeout(late)
    late = undefined
  }
  const every = setInterval(() => {
    if (late || session.destroyed) return
    // An answer may wait in the socket when this process itself was busy: it is read first.
    late = setTimeout(() => setImmediate(giveUp), pingTimeoutMs)
    session.ping(answered)
  }, pingIntervalMs)
  void closed.then(() => {
    clearInterval(every)
    answered()
  })
}
