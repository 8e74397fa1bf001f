import type { ServerResponse } from 'node:http'

/**
 * The header `Keep-Alive` of responses. Clients that follow it close an idle connection long before the gateway does,
 * which would otherwise close it while a request is on its way: after `timeoutMs`, or at the end of the delay of its
 * shutdown.
 */
export function keepAliveHeader(timeoutMs: number, shutdownDelayMs: number): string {
  const closedAfterMs = shutdownDelayMs > 0 ? Math.min(timeoutMs, shutdownDelayMs) : timeoutMs
  return `timeout=${Math.floor(closedAfterMs / 2000)}`
}

/** Closes the connection after this response, and tells the client so. */
export function closeAfter(res: ServerResponse): void {
  res.shouldKeepAlive = false
  res.removeHeader('keep-alive')
}
