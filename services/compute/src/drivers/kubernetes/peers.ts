import { isIP } from 'node:net'

/** Who may connect to a notebook, or what a notebook may connect to: an address range, or pods of a namespace. */
export type Peer = { cidr: string } | { namespace: string; labels: Record<string, string> }

export type Destination = Peer & { port: number }

const namePattern = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const labelPattern =
  /^(?:[a-z0-9][-a-z0-9.]{0,252}\/)?[A-Za-z0-9][-A-Za-z0-9_.]{0,62}=[A-Za-z0-9][-A-Za-z0-9_.]{0,62}$/
const portMax = 65_535

/** `10.0.0.0/8`, or a namespace and labels: `figbase:app=gateway&tier=web`. Undefined if it is neither. */
export function parsePeer(text: string): Peer | undefined {
  if (isCidr(text)) return { cidr: text }
  const colon = text.indexOf(':')
  const namespace = text.slice(0, Math.max(0, colon))
  const labels = text.slice(colon + 1).split('&')
  if (!namePattern.test(namespace) || !labels.every((one) => labelPattern.test(one))) {
    return undefined
  }
  return { namespace, labels: Object.fromEntries(labels.map((one) => one.split('='))) }
}

/** A peer with a port: `10.0.0.0/8:443`, `figbase:app=gateway:8000`. */
export function parseDestination(text: string): Destination | undefined {
  const [, peerText = '', portText = ''] = /^(.*):(\d{1,5})$/.exec(text) ?? []
  const peer = parsePeer(peerText)
  const port = Number(portText)
  return peer && port > 0 && port <= portMax ? { ...peer, port } : undefined
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', more] = text.split('/')
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return more === undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax
}
