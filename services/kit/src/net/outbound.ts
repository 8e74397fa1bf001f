import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { once } from 'node:events'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createConnection, isIP, type LookupFunction, Socket } from 'node:net'
import type { EnvReader } from '../config/config.js'
import { isPublicAddress } from './public-address.js'

/** The host is not on the public Internet. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
  constructor(host: string) {
    super(`${host} is not on the public Internet`)
  }
}

/** Resolves all addresses of a host name. */
export type Resolve = (
  host: string,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

const bySystem: Resolve = (host, done) => systemLookup(host, { all: true }, done)

/** Private hosts that users may name with the operator's permission: `host` or `host:port`. */
export function readOutboundHosts(env: EnvReader): string[] {
  const hosts = env.list(
    'OUTBOUND_HOSTS_ALLOWED',
    'hosts (or host:port) with private addresses on which users may have their storage or Git repositories, or receive webhooks',
  )
  for (const host of hosts) {
    if (!isHost(host)) {
      env.problems.push(`OUTBOUND_HOSTS_ALLOWED: '${host}' is not valid (a host, or host:port)`)
    }
  }
  return hosts.map((host) => host.toLowerCase())
}

const isHost = (text: string) =>
  /^(\[[\da-f:.]+\]|[^\s/?#@\\:[\]]+)(:\d+)?$/i.test(text) && URL.canParse(`http://${text}`)

/**
 * An agent for connections to addresses that users name; `url` decides on TLS. A host name is resolved once per
 * connection and only the checked addresses are used, which prevents DNS rebinding. A host is refused if any of its
 * addresses is not public, unless the operator allows it.
 */
export function createOutboundAgent(
  url: string,
  hostsAllowed: string[],
  resolve: Resolve = bySystem,
): HttpAgent {
  const agent = url.startsWith('https:')
    ? new HttpsAgent({ keepAlive: true })
    : new HttpAgent({ keepAlive: true })
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, done) => {
    const lookup = lookupFor(options.host ?? '', options.port, hostsAllowed, resolve)
    if (lookup) return connect({ ...options, lookup }, done)
    done?.(new AddressRefused((options.host ?? '').toLowerCase()), new Socket())
    return undefined
  }
  return agent
}

/** Opens a TCP connection under the rules of `createOutboundAgent`. */
export async function connectOutbound(
  { host, port, signal }: { host: string; port: number; signal: AbortSignal },
  hostsAllowed: string[],
  resolve: Resolve = bySystem,
): Promise<Socket> {
  const lookup = lookupFor(host, port, hostsAllowed, resolve)
  if (!lookup) throw new AddressRefused(host)
  const socket = createConnection({ host, port, lookup })
  try {
    await once(socket, 'connect', { signal })
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Undefined if the host is an IP address that is refused. */
function lookupFor(hostname: string, port: unknown, hostsAllowed: string[], resolve: Resolve) {
  const host = hostname.toLowerCase()
  const name = isIP(host) === 6 ? `[${host}]` : host
  const isHostAllowed = hostsAllowed.includes(name) || hostsAllowed.includes(`${name}:${port}`)
  if (!isHostAllowed && isIP(host) && !isPublicAddress(host)) return undefined
  return checkedLookup(resolve, isHostAllowed)
}

const checkedLookup =
  (resolve: Resolve, isHostAllowed: boolean): LookupFunction =>
  (host, { all }, done) =>
    resolve(host, (error, addresses) => {
      const [first] = addresses ?? []
      if (error) done(error, '', 0)
      else if (!first || !(isHostAllowed || addresses.every(isPublic)))
        done(new AddressRefused(host), '', 0)
      else if (all) done(null, addresses)
      else done(null, first.address, first.family)
    })

const isPublic = ({ address }: LookupAddress) => isPublicAddress(address)
