import { isIP } from 'node:net'

/** Ports that every process in the confinement may listen on begin here. */
const firstOpenPort = 1024
const portOffset = 8000

/** How a confined notebook reaches Figbase: a port of its own loopback interface is forwarded there. */
export type FigbaseAddress = {
  host: string
  port: number
  /** Where the confined process listens. */
  innerPort: number
  /** `GF_URL` in the notebook: the same name, so that certificates are valid. */
  innerUrl: string
  /** Resolves to the loopback interface; undefined for an address. */
  name: string | undefined
}

export function figbaseAddress(gfUrl: string): FigbaseAddress {
  const url = new URL(gfUrl)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const innerPort = port < firstOpenPort ? port + portOffset : port
  const name = isIP(host) ? undefined : host
  if (!name) url.hostname = '127.0.0.1'
  url.port = String(innerPort)
  const innerUrl = gfUrl.endsWith('/') ? url.href : url.href.replace(/\/$/, '')
  return { host, port, innerPort, innerUrl, name }
}
