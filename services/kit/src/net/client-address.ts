import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

const networkBits = 64
const charsMax = 64
/** Parsing takes up to 15 µs per request. */
const cache = new LRUCache<string, string>({ max: 10_000 })

/**
 * The address by which a client is counted: the IPv4 address, or the /64 network of an IPv6 address, which usually
 * belongs to one client. Empty for an invalid address.
 */
export function clientAddressOf(text: string | undefined): string {
  if (!text || text.length > charsMax) return ''
  let address = cache.get(text)
  if (address === undefined) {
    address = normalize(text)
    cache.set(text, address)
  }
  return address
}

function normalize(text: string): string {
  if (!ipaddr.isValid(text)) return ''
  const address = ipaddr.process(text)
  if (address.kind() === 'ipv4') return address.toString()
  const cidr = `${address.toNormalizedString()}/${networkBits}`
  return ipaddr.IPv6.networkAddressFromCIDR(cidr).toString()
}
