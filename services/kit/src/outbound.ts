import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type LookupFunction, Socket } from 'node:net'
import type { EnvReader } from './config.js'
import { isPublicAddress } from './public-address.js'

/** Thrown by requests to what is not on the public Internet. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
  constructor(host: string) {
    super(`${host} is not on the public Internet`)
  }
}

/** Answers all addresses of a name. */
export type Resolve = (
  host: string,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

const bySystem: Resolve = (host, done) => systemLookup(host, { all: true }, done)

/** The hosts that the operator lets users name though they are private: `host` or `host:port`. */
export function readOutboundHosts(env: EnvReader): string[] {
  const hosts = env.list(
    'OUTBOUND_HOSTS_ALLOWED',
    'hosts (or host:port) that users may have their storage on though their addresses are private',
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
 * Makes the connections to addresses that users name; `url` says whether with TLS. A name is looked up once for
 * each connection, and only what that answered is connected to: a name server has no second word. It is refused
 * when any of its addresses is not public, unless the operator allows the host.
 */
export function createOutboundAgent(
  url: string,
  hostsAllowed: string[],
  resolve: Resolve = bySystem,
): HttpAgent {
  const isAllowed = (host: string, port: unknown) => {
    const name = isIP(host) === 6 ? `[${host}]` : host
    return hostsAllowed.includes(name) || hostsAllowed.includes(`${name}:${port}`)
  }
  const agent = url.startsWith('https:')
    ? new HttpsAgent({ keepAlive: true })
    : new HttpAgent({ keepAlive: true })
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, done) => {
    const host = (options.host ?? '').toLowerCase()
    const anywhere = isAllowed(host, options.port)
    if (!anywhere && isIP(host) && !isPublicAddress(host)) {
      done?.(new AddressRefused(host), new Socket())
      return undefined
    }
    return connect({ ...options, lookup: lookingUp(resolve, anywhere) }, done)
  }
  return agent
}

const lookingUp =
  (resolve: Resolve, anywhere: boolean): LookupFunction =>
  (host, { all }, done) =>
    resolve(host, (error, addresses) => {
      const [first] = addresses ?? []
      if (error) done(error, '', 0)
      else if (!first || !(anywhere || addresses.every(isPublic)))
        done(new AddressRefused(host), '', 0)
      else if (all) done(null, addresses)
      else done(null, first.address, first.family)
    })

const isPublic = ({ address }: LookupAddress) => isPublicAddress(address)
