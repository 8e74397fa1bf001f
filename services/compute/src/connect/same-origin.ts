import type { IncomingMessage } from 'node:http'

const safeMethods = ['GET', 'HEAD']

/**
 * Whether a request comes from the notebook's own pages, or from the user who follows a link. The notebook server does
 * not check it itself, because requests with its token are exempt, and cookies are sent from other hosts of the site.
 */
export function isOwnRequest({ method = '', headers }: IncomingMessage, origin: string): boolean {
  const { origin: sender, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
  if (sender !== undefined) return sender === origin
  // Browsers send the origin with each of these.
  if (!safeMethods.includes(method)) return site === undefined || site === 'same-origin'
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  return mode === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

/** A WebSocket of a browser always has an origin. */
export const isOwnUpgrade = ({ headers }: IncomingMessage, origin: string): boolean =>
  headers.origin === origin
