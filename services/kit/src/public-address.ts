import ipaddr from 'ipaddr.js'

const globalUnicast = ipaddr.parseCIDR('2000::/3')
const nat64 = ipaddr.parseCIDR('64:ff9b::/96')

/**
 * Whether an IP address is one of the public Internet. What stands for an IPv4 address is judged as that,
 * where machines still translate it (mapped, NAT64); 6to4 and Teredo are never public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.kind() === 'ipv4') return address.range() === 'unicast'
  const inside = embedded(address as ipaddr.IPv6)
  if (inside) return inside.range() === 'unicast'
  return address.match(globalUnicast) && address.range() === 'unicast'
}

function embedded(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  if (address.match(nat64)) return new ipaddr.IPv4(address.toByteArray().slice(12))
  return undefined
}
