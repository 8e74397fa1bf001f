import type { ServerResponse } from 'node:http'
import { html } from '@figbase/kit/text'

const style =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:20vh auto;padding:0 1.5rem;color-scheme:light dark}'

/** Security headers of all that the proxy itself answers. */
export const safeHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

export type Refusal = { status: number; title: string; text: string }

/** What the proxy answers instead of a notebook. */
export const refusals = {
  malformed: {
    status: 400,
    title: 'Bad request',
    text: 'The address is not valid.',
  },
  signedOut: {
    status: 401,
    title: 'This notebook is not open in this browser',
    text: 'Open it from Figbase: the notebook has stopped, your session has ended, or the link was used before or is older than a minute.',
  },
  foreign: {
    status: 403,
    title: 'Access denied',
    text: 'The request does not come from the pages of this notebook.',
  },
  unknown: {
    status: 404,
    title: 'Page not found',
    text: 'Notebooks are opened from Figbase.',
  },
  misdirected: {
    status: 421,
    title: 'Misdirected request',
    text: 'This host does not serve this notebook. Behind a proxy, the Host header must be kept.',
  },
  tooMany: {
    status: 429,
    title: 'Too many requests',
    text: 'This notebook has too many open connections. Close some of its pages.',
  },
  unresponsive: {
    status: 502,
    title: 'The notebook does not respond',
    text: 'Reload this page in a moment. If that does not help, restart the notebook from Figbase.',
  },
  unavailable: {
    status: 503,
    title: 'Figbase is temporarily unavailable',
    text: 'Reload this page in a moment.',
  },
} satisfies Record<string, Refusal>

/** Ends the response, and the connection if the body of the request was not read. */
export function refuse(res: ServerResponse, { status, title, text }: Refusal): void {
  if (res.headersSent) return void res.destroy()
  const body = String(
    html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style></head><body><h1>${title}</h1><p>${text}</p></body></html>`,
  )
  if (!res.req.complete) res.shouldKeepAlive = false
  res.writeHead(status, {
    ...safeHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...((status === 429 || status === 503) && { 'retry-after': '5' }),
  })
  res.end(body)
}
