import { type ClientHttp2Session, connect } from 'node:http2'
import type { LookupFunction } from 'node:net'
import type { CallSettings } from './call-settings.js'

/** One address behind the URL of a neighbour; `url` has no trailing slash. */
export type ReplicaAddress = { url: string; ip: string; family: number }

/** The peer does not answer pings. */
export class PeerSilent extends Error {
  override name = 'PeerSilent'
}

export type Connection = {
  session: ClientHttp2Session
  /** The peer has spoken: a process that hangs takes connections, and so does one that refuses certificates. */
  opened: Promise<void>
}

/**
 * Opens an HTTP/2 connection to this one address. It is pinged as long as it is open, whatever
 * calls do: the pings of Connect's own session manager begin anew with each call, so that calls
 * with short deadlines would keep it from ever finding a peer that fell silent.
 */
export function openConnection(address: ReplicaAddress, settings: CallSettings): Connection {
  const { connectTimeoutMs, tls } = settings
  const session = connect(new URL(address.url).origin, { ...tls, lookup: lookupOf(address) })
  const opened = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      session.destroy(new Error(`no connection within ${connectTimeoutMs} ms`))
    }, connectTimeoutMs)
    session.once('remoteSettings', () => {
      clearTimeout(late)
      keepAlive(session, settings)
      resolve()
    })
    session.on('error', reject)
    session.once('close', () => {
      clearTimeout(late)
      reject(new Error('the connection was closed'))
    })
  })
  // The call that wanted it may have ended.
  opened.catch(() => {})
  return { session, opened }
}

/** The host's name stays what TLS and the `:authority` go by. */
const lookupOf =
  ({ ip, family }: ReplicaAddress): LookupFunction =>
  (_host, { all }, done) => {
    if (all) done(null, [{ address: ip, family }])
    else done(null, ip, family)
  }

function keepAlive(session: ClientHttp2Session, settings: CallSettings) {
  const { pingIntervalMs, pingTimeoutMs } = settings
  let late: NodeJS.Timeout | undefined
  const giveUp = () => {
    if (late) session.destroy(new PeerSilent(`no answer to a ping within ${pingTimeoutMs} ms`))
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
  session.once('close', () => {
    clearInterval(every)
    answered()
  })
}
