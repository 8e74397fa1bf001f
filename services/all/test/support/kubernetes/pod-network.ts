/**
 * Loaded into each container with `node --import`: gives it the network of its pod. Listening on all addresses means the
 * address of the pod, and names of Services are found in a file, as in the DNS of the cluster. Other names are unknown.
 */
import dns, { type LookupAddress } from 'node:dns'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net, { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'

/** What all pods know of the Services. */
export type KnownServices = {
  /** Addresses by host name. */
  names: Record<string, string[]>
  /** Where a Service with an address of its own is, by `name:port`. */
  forwarded: Record<string, { host: string; port: number }>
}

const query = new URL(import.meta.url).searchParams
const ip = query.get('ip') ?? ''
const file = fileURLToPath(query.get('services') ?? '')
const everywhere = ['0.0.0.0', '::']

const known = (): KnownServices => JSON.parse(readFileSync(file, 'utf8'))

function lookUp(host: string): LookupAddress[] {
  const found = isIP(host) ? [host] : host === 'localhost' ? ['127.0.0.1'] : known().names[host]
  if (found && found.length > 0) {
    return found.map((address) => ({ address, family: isIP(address) }))
  }
  const error = new Error(`getaddrinfo ENOTFOUND ${host}`)
  throw Object.assign(error, { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: host })
}

type Options = { all?: boolean } | number | undefined
type Done = (error: Error | null, address?: string | LookupAddress[], family?: number) => void

const wantsAll = (options: Options) => typeof options === 'object' && options.all === true

function lookup(host: string, options: Options | Done, given?: Done): void {
  const done = typeof options === 'function' ? options : (given as Done)
  let found: LookupAddress[]
  try {
    found = lookUp(host)
  } catch (error) {
    process.nextTick(done, error)
    return
  }
  const [first] = found
  if (typeof options !== 'function' && wantsAll(options)) process.nextTick(done, null, found)
  else process.nextTick(done, null, first?.address, first?.family)
}

const listen = net.Server.prototype.listen as (...args: unknown[]) => net.Server
const connect = net.connect as (...args: unknown[]) => net.Socket

function listenInPod(this: net.Server, ...args: unknown[]): net.Server {
  const [first, second, ...rest] = args
  if (typeof first === 'object' && first !== null && 'port' in first) {
    const options = first as { host?: string }
    return listen.call(this, { ...first, host: inPod(options.host) }, ...args.slice(1))
  }
  if (typeof first !== 'number' && !/^\d+$/.test(String(first))) return listen.call(this, ...args)
  if (typeof second === 'string') return listen.call(this, first, inPod(second), ...rest)
  return listen.call(this, first, ip, ...args.slice(1))
}

const inPod = (host?: string) => (host === undefined || everywhere.includes(host) ? ip : host)

function connectFromPod(...args: unknown[]): net.Socket {
  const [first, ...rest] = args
  if (typeof first !== 'object' || first === null) return connect(...args)
  const { host, port } = first as { host?: string; port?: number | string }
  const target = known().forwarded[`${host}:${port}`]
  return connect(target ? { ...first, ...target } : first, ...rest)
}

if (ip) {
  Object.assign(dns, { lookup })
  Object.assign(dns.promises, {
    async lookup(host: string, options?: Options) {
      const found = lookUp(host)
      return wantsAll(options) ? found : found[0]
    },
  })
  Object.assign(net.Server.prototype, { listen: listenInPod })
  Object.assign(net, { connect: connectFromPod, createConnection: connectFromPod })
  syncBuiltinESMExports()
}
