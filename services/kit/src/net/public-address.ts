import ipaddr from 'ipaddr.js'

const globalUnicast = ipaddr.parseCIDR('2000::/3')
const nat64 = ipaddr.parseCIDR('64:ff9b::/96')

/**
 * Whether an IP address is on the public Internet. Mapped and NAT64 addresses are judged by their IPv4 address; 6to4
 * and Teredo are never public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.kind() === 'ipv4') return address.range() === 'unicast'
  const inside = embeddedIpv4(address as ipaddr.IPv6)
  if (inside) return inside.range() === 'unicast'
  return address.match(globalUnicast) && address.range() === 'unicast'
}

function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  if (address.match(nat64)) return new ipaddr.IPv4(address.toByteArray().slice(12))
  return undefined
}
