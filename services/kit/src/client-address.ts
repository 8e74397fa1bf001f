import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

const networkBits = 64
const charsMax = 64
/** To read one takes up to 15 µs, and each request has one. */
const known = new LRUCache<string, string>({ max: 10_000 })

/**
 * What counts as one caller: an IPv4 address, or the /64 of an IPv6 address, since who has one has them
 * all. Empty for what is no address.
 */
export function clientAddressOf(text: string | undefined): string {
  if (!text || text.length > charsMax) return ''
  let address = known.get(text)
  if (address === undefined) {
    address = read(text)
    known.set(text, address)
  }
  return address
}

function read(text: string): string {
  if (!ipaddr.isValid(text)) return ''
  const address = ipaddr.process(text)
  if (address.kind() === 'ipv4') return address.toString()
  const cidr = `${address.toNormalizedString()}/${networkBits}`
  return ipaddr.IPv6.networkAddressFromCIDR(cidr).toString()
}
