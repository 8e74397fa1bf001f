import type { IncomingMessage } from 'node:http'
import type { EnvReader } from '@figbase/kit/config'
import type { Logger } from '@figbase/kit/log'
import proxyAddress from 'proxy-addr'

/**
 * Returns a function that reads the client address, behind any trusted proxies. Logs the first request from an
 * untrusted proxy, because all clients behind that proxy share one address.
 */
export function createAddressReader(
  proxies: string[],
  log: Logger,
): (req: IncomingMessage) => string {
  const trust = proxyAddress.compile(proxies)
  let isLogged = false
  return (req) => {
    const { remoteAddress = '' } = req.socket
    if (!isLogged && req.headers['x-forwarded-for'] !== undefined && !trust(remoteAddress, 0)) {
      isLogged = true
      log.warn(
        { proxy: remoteAddress },
        'X-Forwarded-For ignored: if this is your proxy, add it to TRUSTED_PROXIES',
      )
    }
    return proxyAddress(req, trust)
  }
}

export function readTrustedProxies(env: EnvReader): string[] {
  const about = 'the proxies (addresses or networks) whose X-Forwarded-For header is trusted'
  const proxies = env.list('TRUSTED_PROXIES', about)
  try {
    proxyAddress.compile(proxies)
  } catch {
    env.reportInvalid('TRUSTED_PROXIES', proxies.join(','), about, '10.0.0.0/8, 192.168.1.1')
  }
  return proxies
}
