import type { IncomingMessage } from 'node:http'
import { ConfigError, type Logger } from '@figbase/kit'
import proxyAddress from 'proxy-addr'

/**
 * Reads where a client is: behind those of the `proxies` that it came through. That a proxy is not among
 * them is logged once, since all who come through it count as one address then.
 */
export function createAddressReader(
  proxies: string[],
  log: Logger,
): (req: IncomingMessage) => string {
  const trust = trustOf(proxies)
  let isTold = false
  return (req) => {
    const { remoteAddress = '' } = req.socket
    if (!isTold && req.headers['x-forwarded-for'] !== undefined && !trust(remoteAddress, 0)) {
      isTold = true
      log.warn(
        { proxy: remoteAddress },
        'X-Forwarded-For is not believed: if this is your proxy, name it in TRUSTED_PROXIES',
      )
    }
    return proxyAddress(req, trust)
  }
}

function trustOf(proxies: string[]) {
  try {
    return proxyAddress.compile(proxies)
  } catch (error) {
    throw new ConfigError(`TRUSTED_PROXIES: ${error instanceof Error ? error.message : error}`)
  }
}
